// The dimensions of arrays that the source subscripts with one linearised expression, `A[i*n + j]`: the
// strides that explain all uses, the subscripts along them, and the condition that each stays inside its row.
#include "frontend/RegionReader.h"

#include <algorithm>
#include <numeric>

namespace warploom {

namespace {

/// The part of `monomial` made of symbolic sizes, and the rest.
std::pair<Polynomial::Monomial, Polynomial::Monomial> split(const Polynomial& polynomial,
                                                            const Polynomial::Monomial& monomial) {
  Polynomial::Monomial sizes, rest;
  for (const std::string& key : monomial)
    (polynomial.atom(key).invariant ? sizes : rest).push_back(key);
  return {sizes, rest};
}

/// `whole` / `part` as multisets of factors; nothing when `part` is not contained.
std::optional<Polynomial::Monomial> quotient(Polynomial::Monomial whole, const Polynomial::Monomial& part) {
  for (const std::string& key : part) {
    auto at = std::find(whole.begin(), whole.end(), key);
    if (at == whole.end()) return std::nullopt;
    whole.erase(at);
  }
  return whole;
}

/// True when `subscript` has a quotient of sizes as a term, which leads to another part of the memory rather
/// than along a row: `a[g*half + k + n/2]`.
bool leadsElsewhere(const Polynomial& subscript) {
  for (const auto& [monomial, coefficient] : subscript.monomials())
    if (!monomial.empty() && std::all_of(monomial.begin(), monomial.end(), [&](const std::string& key) {
          return subscript.atom(key).invariant;
        }))
      if (std::any_of(monomial.begin(), monomial.end(),
                      [&](const std::string& key) { return !subscript.atom(key).variable; }))
        return true;
  return false;
}

/// The coefficient of the varying factor `key` in `use`, a polynomial in symbolic sizes.
Polynomial coefficientOf(const Polynomial& use, const std::string& key) {
  Polynomial sum;
  for (const auto& [monomial, coefficient] : use.monomials()) {
    auto [sizes, rest] = split(use, monomial);
    if (rest != Polynomial::Monomial{key}) continue;
    Polynomial term = Polynomial::constant(coefficient);
    for (const std::string& size : sizes)
      term = term * Polynomial::of(use.atom(size));
    sum = sum + term;
  }
  return sum;
}

/// A row length such as `n - 16` has two terms. Writing s for it, and s + 16 for n, makes every stride one
/// term again. Replaces the size in all of `uses` where one of them has such a stride.
void nameCompositeStrides(std::vector<Use>& all) {
  std::vector<Polynomial*> uses;
  for (Use& use : all)
    if (use.subscript) uses.push_back(&*use.subscript);
  for (std::size_t k = 0; k < uses.size(); ++k) {
    std::set<std::string> varying;
    for (const auto& [monomial, coefficient] : uses[k]->monomials())
      for (const std::string& key : split(*uses[k], monomial).second)
        varying.insert(key);
    for (const std::string& key : varying) {
      Polynomial stride = coefficientOf(*uses[k], key);
      if (stride.monomials().size() < 2) continue;
      auto value = stride.asAffine();
      if (!value) continue;
      for (const auto& [monomial, coefficient] : stride.monomials()) {
        if (monomial.size() != 1 || coefficient != 1 || !stride.atom(monomial[0]).variable) continue;
        Polynomial named = Polynomial::of(Atom{printed(*value), *value, true, false});
        Polynomial replacement = named - (stride - Polynomial::of(stride.atom(monomial[0])));
        std::vector<Polynomial> replaced;
        for (const Polynomial* use : uses) {
          auto changed = use->substitute(monomial[0], replacement);
          if (!changed) return;
          replaced.push_back(*changed);
        }
        for (std::size_t use = 0; use < uses.size(); ++use)
          *uses[use] = replaced[use];
        break;
      }
    }
  }
}

/// The strides that explain all of `uses`; nothing when there is only stride 1, or no chain of divisors.
std::optional<Strides> stridesOf(const std::vector<Use>& all) {
  std::vector<const Polynomial*> uses;
  for (const Use& use : all)
    if (use.subscript) uses.push_back(&*use.subscript);
  Strides strides;
  std::map<Polynomial::Monomial, long> found;
  for (const Polynomial* use : uses)
    for (const auto& [monomial, coefficient] : use->monomials()) {
      auto [sizes, rest] = split(*use, monomial);
      if (rest.size() > 1) return std::nullopt;
      if (rest.empty() || sizes.empty()) continue;
      long& factor = found[sizes];
      factor = std::gcd(factor, std::abs(coefficient));
      strides.atoms = strides.atoms + *use;
    }
  if (found.empty()) return std::nullopt;
  for (const auto& [sizes, factor] : found) {
    strides.sizes.push_back(sizes);
    strides.factors.push_back(factor);
  }
  std::vector<std::size_t> order(strides.sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return strides.sizes[a].size() > strides.sizes[b].size(); });
  Strides sorted;
  sorted.atoms = strides.atoms;
  for (std::size_t k : order) {
    if (!sorted.sizes.empty() && !quotient(sorted.sizes.back(), strides.sizes[k])) return std::nullopt;
    sorted.sizes.push_back(strides.sizes[k]);
    sorted.factors.push_back(strides.factors[k]);
  }
  // A term without an index may still lie between two multiples of a stride: `A[i*2*n + n]`.
  for (const Polynomial* use : uses)
    for (const auto& [monomial, coefficient] : use->monomials()) {
      auto [sizes, rest] = split(*use, monomial);
      if (!rest.empty()) continue;
      for (std::size_t k = 0; k < sorted.sizes.size(); ++k)
        if (sizes == sorted.sizes[k]) sorted.factors[k] = std::gcd(sorted.factors[k], std::abs(coefficient));
    }
  for (std::size_t k = 0; k + 1 < sorted.sizes.size(); ++k)
    if (sorted.factors[k] % sorted.factors[k + 1] != 0) sorted.factors[k] = sorted.factors[k + 1] = 1;
  sorted.sizes.emplace_back();
  sorted.factors.push_back(1);
  return sorted;
}

/// `use` as one subscript per stride: use = sum of stride * subscript.
std::vector<Polynomial> subscriptsAlong(const Strides& strides, const Polynomial& use) {
  std::vector<Polynomial> subscripts(strides.sizes.size());
  for (const auto& [monomial, coefficient] : use.monomials()) {
    auto [sizes, rest] = split(use, monomial);
    for (std::size_t k = 0; k < strides.sizes.size(); ++k) {
      auto left = rest.empty()                ? quotient(sizes, strides.sizes[k])
                  : sizes == strides.sizes[k] ? std::optional<Polynomial::Monomial>(Polynomial::Monomial{})
                                              : std::nullopt;
      if (!left || coefficient % strides.factors[k] != 0) continue;
      Polynomial term = Polynomial::constant(coefficient / strides.factors[k]);
      for (const std::string& key : *left)
        term = term * Polynomial::of(use.atom(key));
      for (const std::string& key : rest)
        term = term * Polynomial::of(use.atom(key));
      subscripts[k] = subscripts[k] + term;
      break;
    }
  }
  return subscripts;
}

/// Takes a row's length from the subscript before it, or gives it there, wherever a subscript is then inside
/// its row, and else nowhere in `here`: `i*n + n - 1` is the last of row i, not the one before row i + 1.
void borrowRows(const Strides& strides, const isl::set& here, std::vector<Polynomial>& along) {
  auto isNowhereInside = [&](const Polynomial& subscript, std::size_t k) {
    auto outside = outsideRow(subscript, strides.extents[k - 1]);
    return !outside || here.is_subset(*outside);
  };
  for (std::size_t k = along.size() - 1; k >= 1; --k) {
    if (!isNowhereInside(along[k], k)) continue;
    for (int rows : {1, -1}) {
      const Polynomial length = Polynomial::constant(rows) * strides.extents[k - 1];
      if (isNowhereInside(along[k] + length, k)) continue;
      along[k] = along[k] + length;
      along[k - 1] = along[k - 1] - Polynomial::constant(rows);
      break;
    }
  }
}

/// The symbolic sizes `n` for which the parameter `index` goes up to n - 1 in `where`, and never beyond.
std::vector<std::string> endsOf(const std::string& index, const isl::set& where) {
  std::vector<std::string> ends;
  for (int k = 0; k < static_cast<int>(isl_set_dim(where.get(), isl_dim_param)); ++k) {
    std::string name = isl_set_get_dim_name(where.get(), isl_dim_param, static_cast<unsigned>(k));
    if (name == index || name[0] == '$' || name[0] == '@') continue;
    isl::pw_aff end = parameter(name);
    if (!where.intersect(parameter(index).ge_set(end)).is_empty()) continue;
    if (!where.intersect(parameter(index).eq_set(end.sub(constant(1)))).is_empty()) ends.push_back(name);
  }
  return ends;
}

} // namespace

void RegionReader::recoverDimensions() {
  for (std::size_t o = 0; o < objects.size(); ++o) {
    if (objects[o].rank == 0) continue;
    // Only the last subscript of a pointer or array is ever linearised.
    std::size_t last = static_cast<std::size_t>(objects[o].rank) - 1;
    std::vector<Use> uses;
    bool needed = false;
    for (RawStatement* statement : rawStatements())
      for (RawAccess& access : statement->accesses)
        if (access.place.object == static_cast<int>(o)) {
          Subscript& subscript = access.place.subscripts[last];
          if (subscript && subscript->isLost()) subscript.reset();
          bool linearised = subscript && !subscript->asAffine();
          uses.push_back({statement, &access, subscript, linearised, {}});
          needed |= linearised;
        }
    if (!needed) continue;
    // `a[i*n + i]` is a diagonal of rows of length n, not an array of rows of length n + 1: composite row
    // lengths are tried only where plain ones leave something to be checked at run time.
    std::vector<Use> composite = uses;
    auto strides = alongStrides(uses);
    if (!strides || strides->unproven > 0) {
      nameCompositeStrides(composite);
      auto other = alongStrides(composite);
      if (other && (!strides || other->unproven < strides->unproven)) {
        strides = other;
        uses = composite;
      }
    }
    if (!strides) strides = alongSplitRows(uses);
    if (strides) adoptDimensions(static_cast<int>(o), *strides, uses);
  }
  loops.clear();
}

std::optional<Strides> RegionReader::alongStrides(std::vector<Use>& uses) {
  std::optional<Strides> strides = stridesOf(uses);
  if (!strides) return std::nullopt;
  for (std::size_t k = 1; k < strides->sizes.size(); ++k) {
    Polynomial extent = Polynomial::constant(strides->factors[k - 1] / strides->factors[k]);
    Polynomial::Monomial ratio = *quotient(strides->sizes[k - 1], strides->sizes[k]);
    for (const std::string& key : ratio)
      extent = extent * Polynomial::of(strides->atoms.atom(key));
    strides->extents.push_back(extent);
  }
  for (Use& use : uses) {
    if (!use.subscript) continue;
    use.along = subscriptsAlong(*strides, *use.subscript);
    isl::set here = use.statement->domain.intersect(use.access->when).intersect(region.context);
    if (!here.is_empty()) borrowRows(*strides, here, use.along);
    for (std::size_t k = 1; k < strides->sizes.size(); ++k) {
      auto outside = outsideRow(use.along[k], strides->extents[k - 1]);
      if (!outside || !outside->intersect(here).is_empty()) ++strides->unproven;
    }
  }
  return strides;
}

std::optional<Strides> RegionReader::alongSplitRows(std::vector<Use>& uses) {
  // The sizes that an index is multiplied by, and every such index with the domain it is used in.
  std::map<Polynomial::Monomial, std::map<std::string, isl::set>> indices;
  Polynomial atoms;
  for (const Use& use : uses) {
    if (!use.subscript) continue;
    atoms = atoms + *use.subscript;
    for (const auto& [monomial, coefficient] : use.subscript->monomials()) {
      auto [sizes, rest] = split(*use.subscript, monomial);
      if (sizes.empty() || rest.size() != 1) continue;
      isl::set here = use.statement->domain.intersect(use.access->when).intersect(region.context);
      auto [at, isNew] = indices[sizes].emplace(rest[0], here);
      if (!isNew) at->second = at->second.unite(here);
    }
  }
  for (const auto& [part, along] : indices)
    for (const auto& [row, others] : indices) {
      if (quotient(row, part) || quotient(part, row)) continue;
      for (const std::string& whole : row) {
        if (!atoms.atom(whole).variable || std::find(part.begin(), part.end(), whole) != part.end()) continue;
        for (const auto& [index, where] : along)
          for (const std::string& count : endsOf(index, where)) {
            Polynomial product = Polynomial::parameter(count, true);
            for (const std::string& size : part)
              product = product * Polynomial::of(atoms.atom(size));
            auto length = product.asAffine();
            if (count == whole || !length) continue;
            std::vector<Use> tried = uses;
            bool replaced = true;
            for (Use& use : tried)
              if (use.subscript && replaced) {
                use.subscript = use.subscript->substitute(whole, product);
                replaced = use.subscript.has_value();
              }
            auto strides = replaced ? alongStrides(tried) : std::nullopt;
            if (!strides || strides->unproven > 0) continue;
            strides->wrong = parameter(whole).ne_set(*length);
            uses = std::move(tried);
            return strides;
          }
      }
    }
  return std::nullopt;
}

void RegionReader::adoptDimensions(int index, const Strides& strides, std::vector<Use>& uses) {
  Object& object = objects[index];
  std::size_t dimensions = strides.sizes.size();
  const bool isWritten = std::any_of(uses.begin(), uses.end(), [](const Use& use) {
    return use.access->kind == Access::Kind::Write || use.access->kind == Access::Kind::MayWrite;
  });
  for (Use& use : uses) {
    std::vector<Subscript> recovered(dimensions);
    if (use.subscript) {
      bool inside = true;
      loops = use.statement->model.loops;
      if (strides.wrong) {
        // A matter of the sizes alone, whether the use is reached or not.
        domain = isl::manage(isl_set_universe(isl_set_get_space(use.statement->domain.get())));
        inside = assume(Condition::Kind::InBounds, *strides.wrong, use.access->range, index);
      }
      domain = use.statement->domain.intersect(use.access->when);
      for (std::size_t k = 1; k < dimensions && inside; ++k) {
        auto outside = outsideRow(use.along[k], strides.extents[k - 1]);
        bool proven = outside && outside->intersect(domain).intersect(region.context).is_empty();
        // What was never linearised and does not stay in one row walks over many. Which elements are read of
        // what nobody writes need not be known.
        inside = proven || (outside && use.linearised && (isWritten || !leadsElsewhere(use.along[k])) &&
                            assume(Condition::Kind::InBounds, *outside, use.access->range, index));
      }
      if (inside)
        recovered.assign(use.along.begin(), use.along.end());
      else
        use.access->place.inexactReason =
            "`" + use.access->text + "` does not stay inside a row of the array";
    }
    std::vector<Subscript>& subscripts = use.access->place.subscripts;
    subscripts.pop_back();
    subscripts.insert(subscripts.end(), recovered.begin(), recovered.end());
  }
  object.extents.back() = std::nullopt;
  object.extentTexts.back().clear();
  for (const Polynomial& extent : strides.extents) {
    object.extents.emplace_back(extent);
    auto affine = extent.asAffine();
    object.extentTexts.push_back(affine ? affineText(*affine) : "");
  }
  object.rank += static_cast<int>(dimensions) - 1;
  object.recovered = true;
}

} // namespace warploom
