// Trees of cases for readers: as text, as JSON, as SMT-LIB that proves itself, and as a picture.
#pragma once

#include "cases/CaseTree.h"
#include "cases/Joint.h"

#include <nlohmann/json_fwd.hpp>

namespace warploom::cases {

/// What a tree is about, in words.
struct Title {
  std::string place;                                           ///< `matvec.mf:5`
  std::string function;                                        ///< `product`
  std::vector<std::pair<std::string, std::string>> parameters; ///< symbols and what they are
  std::string registers;                                       ///< where the number of registers comes from
  std::string races = {}; ///< what is known of threads that meet; empty: nothing was asked
};

std::string text(const Title& title, const CaseTree& tree);
nlohmann::ordered_json json(const Title& title, const CaseTree& tree);
/// The cases of several nests together; `place` is where they are, `nests` says it of each.
std::string text(const std::string& place, const std::vector<std::string>& nests, const Joint& joint);
nlohmann::ordered_json json(const std::vector<std::string>& nests, const Joint& joint);
/// Declarations, facts, a function for each case and for where there is no code, and the questions whose
/// answers make it a tree: each case is possible (sat), some case or none always applies (unsat), no two do
/// (unsat).
std::string smt(const Title& title, const CaseTree& tree);
/// The tree from left to right; what is accepted goes on straight, what is refused by dashes.
std::string svg(const CaseTree& tree);
/// A page with the picture and the cases; it needs nothing else.
std::string html(const Title& title, const CaseTree& tree);

} // namespace warploom::cases
