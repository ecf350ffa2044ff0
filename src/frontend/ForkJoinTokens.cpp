#include "frontend/ForkJoinTokens.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>
#include <set>

namespace warploom {

namespace {

struct RawToken {
  clang::tok::TokenKind kind;
  std::size_t begin, end;
  std::string text; ///< of identifiers
  bool lineStart;
  int directive; ///< the number of the directive it belongs to; -1: none
};

/// A text as raw tokens, each with the directive it is in.
std::vector<RawToken> rawTokens(const std::string& source) {
  clang::LangOptions options;
  options.C11 = options.C99 = options.LineComment = true;
  clang::Lexer lexer(clang::SourceLocation(), options, source.data(), source.data(),
                     source.data() + source.size());
  std::vector<RawToken> tokens;
  int directive = -1, directives = 0;
  for (;;) {
    clang::Token token;
    lexer.LexFromRawLexer(token);
    std::size_t end = std::size_t(lexer.getBufferLocation() - source.data());
    if (token.is(clang::tok::eof)) break;
    RawToken raw{token.getKind(), end - token.getLength(), end, "", token.isAtStartOfLine(), -1};
    if (token.is(clang::tok::raw_identifier)) raw.text = token.getRawIdentifier().str();
    if (raw.lineStart) directive = token.is(clang::tok::hash) ? directives++ : -1;
    raw.directive = directive;
    tokens.push_back(raw);
  }
  return tokens;
}

class TokenReader {
public:
  TokenReader(const std::string& source, std::optional<ForkJoinLanguage> given)
      : source(source), given(given), tokens(rawTokens(source)) {
    result.text = source;
  }

  ForkJoinTokens read() {
    result.language = given.value_or(detect());
    if (result.language == ForkJoinLanguage::MetaFork || result.language == ForkJoinLanguage::Cilk) rewrite();
    if (result.language == ForkJoinLanguage::OpenMP || result.language == ForkJoinLanguage::Cilk)
      findIncludes();
    if (result.language == ForkJoinLanguage::OpenMP) findDirectives();
    return std::move(result);
  }

private:
  /// The language of which there are constructs; C when there are none, and a problem when there are two.
  ForkJoinLanguage detect() {
    bool meta = false, cilk = false, openmp = false;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      if (pragma(k, "omp")) openmp = true;
      if (pragma(k, "meta") ||
          (tokens[k].text.starts_with("meta_") && tokens[k].directive < 0 && construct(k)))
        meta = true;
      if (pragma(k, "cilk") || (isCilk(tokens[k].text) && tokens[k].directive < 0 && construct(k)))
        cilk = true;
    }
    if (meta + cilk + openmp > 1) {
      result.problems.push_back(
          {0, 0, "the file has constructs of more than one language; --from names the one to read"});
      return ForkJoinLanguage::C;
    }
    return meta     ? ForkJoinLanguage::MetaFork
           : cilk   ? ForkJoinLanguage::Cilk
           : openmp ? ForkJoinLanguage::OpenMP
                    : ForkJoinLanguage::C;
  }

  static bool isCilk(const std::string& text) {
    return text.starts_with("cilk_") || text.starts_with("_Cilk_");
  }

  /// The construct's common name of both languages; empty: `text` is no keyword.
  static std::string role(const std::string& text) {
    static const std::map<std::string, std::string> roles = {
        {"meta_fork", "fork"},         {"meta_join", "join"},       {"meta_for", "for"},
        {"meta_schedule", "schedule"}, {"meta_pipe", "pipe"},       {"meta_wait", "pipe"},
        {"meta_continue", "pipe"},     {"cilk_spawn", "fork"},      {"cilk_sync", "join"},
        {"cilk_for", "for"},           {"cilk_scope", "scope"},     {"cilk_reducer", "reducer"},
        {"_Cilk_spawn", "fork"},       {"_Cilk_sync", "join"},      {"_Cilk_for", "for"},
        {"_Cilk_scope", "scope"},      {"_Cilk_reducer", "reducer"}};
    auto found = roles.find(text);
    return found == roles.end() ? "" : found->second;
  }

  bool is(std::size_t k, clang::tok::TokenKind kind) const {
    return k < tokens.size() && tokens[k].kind == kind;
  }
  bool word(std::size_t k, const char* text) const { return k < tokens.size() && tokens[k].text == text; }

  /// `#pragma name` begins with token `k`.
  bool pragma(std::size_t k, const char* name) const {
    return is(k, clang::tok::hash) && tokens[k].lineStart && word(k + 1, "pragma") && word(k + 2, name) &&
           tokens[k + 1].directive == tokens[k].directive && tokens[k + 2].directive == tokens[k].directive;
  }

  /// The token behind the parenthesis that `k` opens; nothing when it is not closed.
  std::optional<std::size_t> behindParentheses(std::size_t k) const {
    int depth = 0;
    for (; k < tokens.size(); ++k) {
      if (is(k, clang::tok::l_paren)) ++depth;
      if (is(k, clang::tok::r_paren) && --depth == 0) return k + 1;
    }
    return std::nullopt;
  }

  /// The last token before `k` that is in no directive; nothing: there is none.
  std::optional<std::size_t> before(std::size_t k) const {
    while (k > 0)
      if (tokens[--k].directive < 0) return k;
    return std::nullopt;
  }

  /// A statement may begin with token `k`.
  bool statementStart(std::size_t k) const {
    using namespace clang::tok;
    auto last = before(k);
    if (!last) return false;
    clang::tok::TokenKind kind = tokens[*last].kind;
    const std::string& text = tokens[*last].text;
    return kind == semi || kind == l_brace || kind == r_brace || kind == r_paren || kind == colon ||
           text == "else" || text == "do" || role(text) == "fork" || role(text) == "schedule";
  }

  /// The parentheses that token `k` opens hold the three parts of a loop's header.
  bool loopHeader(std::size_t k) const {
    if (!is(k, clang::tok::l_paren)) return false;
    auto end = behindParentheses(k);
    int depth = 0, parts = 0;
    for (std::size_t j = k; end && j < *end; ++j) {
      depth += is(j, clang::tok::l_paren) - is(j, clang::tok::r_paren);
      parts += is(j, clang::tok::semi) && depth == 1;
    }
    return parts == 2;
  }

  /// Token `k`, a keyword of MetaFork or Cilk, stands where a construct can stand, rather than as a name.
  bool construct(std::size_t k) const {
    const std::string what = role(tokens[k].text);
    if (what == "join") return statementStart(k) && is(k + 1, clang::tok::semi);
    if (what == "for")
      return statementStart(k) &&
             (loopHeader(k + 1) || (word(k + 1, "reduction") && is(k + 2, clang::tok::l_paren)));
    if (what == "schedule")
      return statementStart(k) && (is(k + 1, clang::tok::l_brace) || word(k + 1, "cache"));
    if (what == "scope") return statementStart(k) && is(k + 1, clang::tok::l_brace);
    if (what == "reducer")
      return is(k + 1, clang::tok::l_paren) && k > 0 &&
             (!tokens[k - 1].text.empty() || is(k - 1, clang::tok::star));
    if (what == "fork") {
      auto last = before(k);
      bool place = statementStart(k) || (last && is(*last, clang::tok::equal));
      return place && k + 1 < tokens.size() &&
             (!tokens[k + 1].text.empty() || is(k + 1, clang::tok::l_brace) || is(k + 1, clang::tok::star));
    }
    return false;
  }

  void problem(std::size_t token, const std::string& message) {
    if (tokens.empty()) return;
    const RawToken& at = tokens[std::min(token, tokens.size() - 1)];
    result.problems.push_back({at.begin, at.end, message});
  }

  void blank(std::size_t begin, std::size_t end) {
    for (; begin < end; ++begin)
      if (result.text[begin] != '\n' && result.text[begin] != '\r') result.text[begin] = ' ';
  }

  /// The names of `word(a, b, c)`, whose parenthesis token `k` opens; the token behind it.
  std::optional<std::size_t> names(std::size_t k, std::vector<ForkJoinKeyword::Name>& out) {
    auto end = is(k, clang::tok::l_paren) ? behindParentheses(k) : std::nullopt;
    if (!end) {
      problem(k, "a list of names in parentheses is expected here");
      return std::nullopt;
    }
    bool name = true;
    for (std::size_t j = k + 1; j + 1 < *end; ++j, name = !name) {
      if (name ? tokens[j].text.empty() : !is(j, clang::tok::comma)) {
        problem(j, "a list of names, separated by commas, is expected here");
        return std::nullopt;
      }
      if (name) out.push_back({tokens[j].text, tokens[j].begin});
    }
    if (out.empty() || name) {
      problem(*end - 1, "a name is expected here");
      return std::nullopt;
    }
    return end;
  }

  /// `reduction(op: a, b)` or `reduction(identity, combine: a)` at token `k`; the token behind it.
  std::optional<std::size_t> reduction(std::size_t k, ForkJoinKeyword& keyword) {
    auto end = behindParentheses(k + 1);
    std::size_t colon = k + 2;
    while (end && colon < *end && !is(colon, clang::tok::colon))
      ++colon;
    if (!end || colon >= *end || colon == k + 2) {
      problem(k, "a reduction is written reduction(operator: name)");
      return std::nullopt;
    }
    ForkJoinKeyword::Reduction read;
    if (colon == k + 5 && is(k + 3, clang::tok::comma)) {
      read.identity = tokens[k + 2].text;
      read.combine = tokens[k + 4].text;
    } else {
      read.operation = source.substr(tokens[k + 2].begin, tokens[colon - 1].end - tokens[k + 2].begin);
    }
    static const std::set<std::string> operations = {"+", "*", "&", "|", "^", "&&", "||", "min", "max"};
    bool named = !read.identity.empty() && !read.combine.empty();
    if (!named && !operations.count(read.operation)) {
      problem(k + 2,
              "no reduction: an operator (+ * & | ^ && ||), min, max, or two functions are expected here");
      return std::nullopt;
    }
    bool name = true;
    for (std::size_t j = colon + 1; j + 1 < *end; ++j, name = !name) {
      if (name ? tokens[j].text.empty() : !is(j, clang::tok::comma)) {
        problem(j, "a list of names, separated by commas, is expected here");
        return std::nullopt;
      }
      if (name) read.names.push_back({tokens[j].text, tokens[j].begin});
    }
    if (read.names.empty() || name) {
      problem(*end - 1, "a name is expected here");
      return std::nullopt;
    }
    keyword.reductions.push_back(std::move(read));
    return end;
  }

  void rewrite() {
    const bool meta = result.language == ForkJoinLanguage::MetaFork;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      if (grain(k, meta ? "meta" : "cilk")) continue;
      const std::string& text = tokens[k].text;
      const std::string what = role(text);
      if (what.empty() || (meta ? !text.starts_with("meta_") : !isCilk(text))) continue;
      if (tokens[k].directive >= 0) {
        std::size_t first = k;
        while (first > 0 && tokens[first - 1].directive == tokens[k].directive)
          --first;
        if (word(first + 1, "define"))
          problem(k, text + " in the definition of a macro is not supported; write it where it is used");
        continue;
      }
      if (what == "pipe") {
        problem(k, text + " is reserved; pipelines are unsupported");
        continue;
      }
      if (!construct(k)) {
        problem(k, malformed(text, what));
        continue;
      }
      if (what == "reducer")
        reducer(k);
      else
        k = keyword(k, what) - 1;
    }
  }

  static std::string malformed(const std::string& text, const std::string& what) {
    if (what == "join") return text + " is a statement: " + text + ";";
    if (what == "for")
      return text + " is expected to head a loop: " + text + " (init; condition; step) statement";
    if (what == "schedule")
      return text + " is expected before a block of loops: " + text + " [cache(a, b)] { ... }";
    if (what == "scope") return text + " is expected before a block";
    if (what == "reducer") return text + " is written type cilk_reducer(identity, combine) name";
    return text + " is expected before a call, a block or a statement, or as `x = " + text + " f(a)`";
  }

  void reducer(std::size_t k) {
    auto end = behindParentheses(k + 1);
    if (!end || *end != k + 6 || tokens[k + 2].text.empty() || !is(k + 3, clang::tok::comma) ||
        tokens[k + 4].text.empty())
      return problem(k, "cilk_reducer is expected with two functions: cilk_reducer(identity, combine)");
    result.reducers.push_back(
        {tokens[k].begin, tokens[*end - 1].end, tokens[k + 2].text, tokens[k + 4].text});
    blank(tokens[k].begin, tokens[*end - 1].end);
  }

  /// Reads the keyword at token `k` with its clauses; the token behind them.
  std::size_t keyword(std::size_t k, const std::string& what) {
    ForkJoinKeyword read;
    read.name = tokens[k].text;
    read.begin = tokens[k].begin;
    std::size_t next = k + 1;
    std::optional<std::size_t> behind = next;
    if (what == "join") read.kind = ForkJoinKind::Join;
    if (what == "scope") read.kind = ForkJoinKind::Scope;
    if (what == "for") {
      read.kind = ForkJoinKind::Loop;
      while (behind && word(*behind, "reduction"))
        behind = reduction(*behind, read);
      if (behind && !loopHeader(*behind)) {
        problem(k, malformed(read.name, what));
        return next;
      }
    }
    if (what == "schedule") {
      read.kind = ForkJoinKind::Schedule;
      while (behind && word(*behind, "cache"))
        behind = names(*behind + 1, read.cached);
      if (behind && !is(*behind, clang::tok::l_brace)) {
        problem(k, malformed(read.name, what));
        return next;
      }
    }
    if (what == "fork") {
      auto last = before(k);
      read.assigned = last && is(*last, clang::tok::equal);
      read.kind = ForkJoinKind::ForkBlock; // or a call: Clang's tree tells
      while (behind && word(*behind, "shared") && is(*behind + 1, clang::tok::l_paren) &&
             result.language == ForkJoinLanguage::MetaFork)
        behind = names(*behind + 1, read.shared);
    }
    if (!behind || *behind >= tokens.size()) {
      if (behind) problem(k, malformed(read.name, what));
      return next;
    }
    read.end = tokens[*behind - 1].end;
    read.next = what == "for" ? read.begin : tokens[*behind].begin;
    blank(read.begin, read.end);
    if (what == "for") result.text.replace(read.begin, 3, "for");
    result.keywords.push_back(std::move(read));
    return *behind;
  }

  /// Reads `#pragma language grainsize = e` at token `k`, if it is there. For Clang it is the statement `e;`.
  bool grain(std::size_t k, const char* language) {
    if (!pragma(k, language)) return false;
    std::size_t end = k;
    while (end < tokens.size() && tokens[end].directive == tokens[k].directive)
      ++end;
    bool equals = is(k + 4, clang::tok::equal);
    if (!word(k + 3, "grainsize") || k + 4 + equals >= end) {
      problem(k, std::string("a pragma is expected of the form #pragma ") + language +
                     " grainsize = expression");
      return true;
    }
    GrainPragma read;
    read.begin = tokens[k].begin;
    read.expression = tokens[k + 4 + equals].begin;
    read.end = read.expressionEnd = tokens[end - 1].end;
    read.next = end < tokens.size() ? tokens[end].begin : source.size();
    if (end >= tokens.size() || role(tokens[end].text) != "for") {
      problem(k, "this pragma is expected directly before a parallel loop");
      return true;
    }
    auto last = before(k);
    if (!last ||
        !(is(*last, clang::tok::semi) || is(*last, clang::tok::l_brace) || is(*last, clang::tok::r_brace))) {
      problem(k, "this pragma is expected between the statements of a block");
      return true;
    }
    const std::string expression = source.substr(read.expression, read.end - read.expression);
    blank(read.begin, read.end);
    result.text.replace(read.expression - 1, expression.size(), expression);
    result.text[read.end - 1] = ';';
    result.grains.push_back(read);
    return true;
  }

  void findDirectives() {
    for (std::size_t k = 0; k + 3 < tokens.size(); ++k)
      if (pragma(k, "omp"))
        result.directives.push_back(
            {tokens[k].begin, tokens[k + 3].end,
             source.substr(tokens[k + 3].begin, tokens[k + 3].end - tokens[k + 3].begin)});
  }

  void findIncludes() {
    for (std::size_t k = 0; k + 2 < tokens.size(); ++k) {
      if (!is(k, clang::tok::hash) || !tokens[k].lineStart || !word(k + 1, "include")) continue;
      std::size_t begin = tokens[k].begin, end = source.find('\n', begin);
      end = end == std::string::npos ? source.size() : end + 1;
      std::string line = source.substr(begin, end - begin);
      bool own = result.language == ForkJoinLanguage::Cilk ? line.find("<cilk/") != std::string::npos
                                                           : line.find("<omp.h>") != std::string::npos;
      if (!own) continue;
      LanguageText text;
      text.range.begin = begin;
      text.range.end = end;
      text.include = true;
      result.includes.push_back(text);
      if (result.language == ForkJoinLanguage::Cilk) blank(begin, end);
    }
  }

  const std::string& source;
  const std::optional<ForkJoinLanguage> given;
  std::vector<RawToken> tokens;
  ForkJoinTokens result;
};

} // namespace

ForkJoinTokens readForkJoinTokens(const std::string& source, std::optional<ForkJoinLanguage> given) {
  return TokenReader(source, given).read();
}

} // namespace warploom
