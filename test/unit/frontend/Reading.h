// C text through the front end: what unit tests look at.
#pragma once

#include "Folder.h"
#include "frontend/Frontend.h"

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace warploom {

/// What the front end makes of `source`, in a file called `name`.
FileRegions readSource(const std::string& source, const std::vector<std::string>& flags = {},
                       const std::string& name = "input.c");

/// The only region of `source`.
Region regionOf(const std::string& source, const std::vector<std::string>& flags = {});

/// The statement whose text contains `text`.
const Statement& statementWith(const Region& region, const std::string& text);
/// The access of `statement` written as `text`; the last one when a place is read and written.
const Access& accessWith(const Statement& statement, const std::string& text);
const Array& arrayNamed(const Region& region, const std::string& name);

/// The domain of `statement` is `expected`, where the statement is called S: "[n] -> { S[i] : 0 <= i < n }".
testing::AssertionResult hasDomain(const Statement& statement, const std::string& expected);
/// The same for an access: "[n] -> { S[i] -> a[i] }", on the statement's domain.
testing::AssertionResult touches(const Statement& statement, const Access& access,
                                 const std::string& expected);

/// The texts of the region's conditions.
std::vector<std::string> conditions(const Region& region);

} // namespace warploom
