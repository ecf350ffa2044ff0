// Matrix Market files: good ones, files that lie, and mutants.
#include "Api.h"
#include "Folder.h"

#include <fstream>

namespace {

class LaFiles : public La {
protected:
  /// Loads a file with the given text.
  template <class T> RTstatus load(const std::string& text, typename Api<T>::Array& array) {
    std::ofstream(name, std::ios::binary) << text;
    return Api<T>::load(name.c_str(), &array);
  }
  /// The dense form of a file with the given text.
  template <class T> std::vector<T> matrix(const std::string& text) {
    typename Api<T>::Array array{0, 0, 0, nullptr, nullptr, nullptr, 0};
    EXPECT_EQ(load<T>(text, array), RT_OK) << RTLastError();
    return dense<T>(array);
  }
  void refuses(const std::string& text, const std::string& cause) {
    RTspDArray array{1, 2, 3, nullptr, nullptr, nullptr, 42};
    EXPECT_EQ(load<double>(text, array), RT_BAD_FILE) << text;
    EXPECT_NE(std::string(RTLastError()).find(cause), std::string::npos) << RTLastError();
    EXPECT_EQ(array.id, 42u); // as it was
  }

  warploom::Folder folder;
  const std::string name = folder.path / "matrix.mtx";
};

const std::string header = "%%MatrixMarket matrix coordinate real general\n";

// SHOWS: RT-97
TEST_F(LaFiles, EveryKindOfRealMatrix) {
  const std::vector<double> general = {0, 2, 0, -1.5, 0, 4};
  EXPECT_EQ(matrix<double>(header + "2 3 3\n1 2 2\n2 1 -1.5\n2 3 4\n"), general);
  EXPECT_EQ(matrix<double>(header + "% note\n%\n\n 2 3  3\r\n2 3 +4e0\n%x\n1\t2 2.\n2 1 -1.5"),
            general); // unsorted
  EXPECT_EQ(matrix<float>("%%matrixmarket MATRIX Coordinate Integer General\n1 2 1\n1 2 -7\n"),
            (std::vector<float>{0, -7}));
  EXPECT_EQ(matrix<double>("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n"),
            (std::vector<double>{0, 1, 0, 1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(matrix<double>("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 5\n2 1 3\n"),
            (std::vector<double>{5, 3, 3, 0}));
  EXPECT_EQ(matrix<double>("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n"),
            (std::vector<double>{0, -3, 3, 0}));
  EXPECT_EQ(matrix<double>("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"),
            (std::vector<double>{1, 3, 2, 4}));
  EXPECT_EQ(matrix<double>("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n"),
            (std::vector<double>{1, 2, 2, 3}));
  EXPECT_EQ(matrix<float>(header + "1 1 1\n1 1 1e-60\n"), (std::vector<float>{0}));
  for (const char* field : {"complex general", "complex hermitian", "complex symmetric"})
    refuses("%%MatrixMarket matrix coordinate " + std::string(field) + "\n1 1 1\n1 1 1 0\n", "complex");

  RTspDArray array, again;
  ASSERT_EQ(load<double>(header + "3 4 4\n1 1 0.1\n3 4 -1e-300\n2 2 123456789.123\n3 1 0.3333333333333333\n",
                         array),
            RT_OK);
  ASSERT_EQ(RTspDArraySaveToFile(name.c_str(), &array), RT_OK);
  ASSERT_EQ(RTspDArrayLoadFromFile(name.c_str(), &again), RT_OK);
  EXPECT_EQ(dense<double>(array), dense<double>(again));
  EXPECT_EQ(again.nnz, 4);
  EXPECT_EQ(RTspDArraySaveToFile("no/such/folder/x.mtx", &array), RT_BAD_FILE);
}

TEST_F(LaFiles, FilesThatLie) {
  refuses("", "no Matrix Market file");
  refuses("hello\n", "line 1");
  refuses("%%MatrixMarket vector coordinate real general\n1 1 0\n", "no Matrix Market file");
  refuses("%%MatrixMarket matrix elliptic real general\n", "coordinate or array");
  refuses("%%MatrixMarket matrix coordinate real general extra\n", "no Matrix Market file");
  refuses("%%MatrixMarket matrix array pattern general\n1 1\n", "field");
  refuses("%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n", "symmetry");
  refuses(header, "three numbers");
  refuses(header + "2 2\n", "three numbers");
  refuses(header + "0 0 0\n", "rows is not between");
  refuses(header + "-1 2 0\n", "rows is not between");
  refuses(header + "2 2 -1\n", "number of entries is not between");
  refuses(header + "99999999999 2 0\n", "too large");
  refuses(header + "2.5 2 0\n", "no whole number");
  refuses(header + "2 2 1\n3 1 1\n", "line 3: the row is not between 1 and 2");
  refuses(header + "2 2 1\n1 0 1\n", "line 3: the column is not between 1 and 2");
  refuses(header + "2 2 2\n1 1 1\n \n\n", "after 1 of 2");
  refuses(header + "2 2 1\n1 1 1\n2 2 1\n", "line 4: there are more entries");
  refuses(header + "2 2 2\n1 1 1\n1 1 2\n", "given twice");
  refuses(header + "2 2 1\n1 1\n", "a row, a column and a value");
  refuses(header + "2 2 1\n1 1 1 1\n", "a row, a column and a value");
  refuses(header + "2 2 2\n1 1 1\nhello world here\n", "line 4: the row is no whole number");
  refuses(header + "2 2 1\n1 1 1x\n", "the value is no number");
  refuses(header + "2 2 1\n1 1 nan\n", "the value is no number");
  refuses(header + "2 2 1\n1 1 1e999\n", "the value is too large");
  refuses("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n", "no whole number");
  refuses("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", "lower half");
  refuses("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n", "as many rows");
  refuses("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "no diagonal");
  // Ten gigabytes by the header.
  refuses(header + "50000 50000 800000000\n1 1 1\n", "too short");
  refuses("%%MatrixMarket matrix array real general\n40000 40000\n1\n", "too short");
  refuses("%%MatrixMarket matrix array real symmetric\n40000 40000\n1\n", "too short");
  refuses(header + "2 2 1\n1 1 " + std::string(1, '\0') + "\n", "no number");
  RTspDArray array;
  EXPECT_EQ(RTspDArrayLoadFromFile("no such file", &array), RT_BAD_FILE);
  EXPECT_EQ(RTspDArrayLoadFromFile("/", &array), RT_BAD_FILE);
  EXPECT_EQ(RTspDArrayLoadFromFile("/dev/zero", &array), RT_BAD_FILE);
  EXPECT_EQ(RTspDArrayLoadFromFile(nullptr, &array), RT_INVALID_VALUE);
}

TEST_F(LaFiles, AThousandMutantsLoadOrAreRefused) {
  const std::string good[] = {
      header + "% c\n4 5 6\n1 1 1.5\n2 2 -2\n3 3 3e1\n4 5 4\n1 5 5\n4 1 6\n",
      "%%MatrixMarket matrix coordinate pattern symmetric\n6 6 5\n1 1\n2 1\n3 3\n6 2\n5 5\n",
      "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 4\n3 1 -5\n",
      "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n",
  };
  const std::string pieces[] = {
      "0",  "-1",  "1000000", "2147483648", "9999999999999999999", "1e400", "x",
      "\n", " 7 ", "%",       "real",       "symmetric",           "array", std::string(1, '\0')};
  Numbers numbers(9);
  int loaded = 0, refused = 0;
  for (int k = 0; k < 1000; ++k) {
    std::string text = good[numbers.below(4)];
    for (int change = numbers.below(3); change >= 0; --change) {
      const std::size_t at = static_cast<std::size_t>(numbers.below(static_cast<int>(text.size())));
      switch (numbers.below(7)) {
      case 0:
        text[at] = static_cast<char>(numbers.below(256));
        break;
      case 1:
        text.erase(at, static_cast<std::size_t>(1 + numbers.below(6)));
        break;
      case 2:
        text.insert(at, pieces[numbers.below(std::size(pieces))]);
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
      case 5: { // another digit
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text[digit] = static_cast<char>('0' + numbers.below(10));
        break;
      }
      default:
        text.insert(at, text.substr(at / 2, static_cast<std::size_t>(numbers.below(20))));
      }
      if (text.empty()) text = "%";
    }
    RTspDArray array;
    const RTstatus status = load<double>(text, array);
    if (status != RT_OK) {
      ASSERT_EQ(status, RT_BAD_FILE) << text;
      ++refused;
      continue;
    }
    ++loaded;
    if (array.m <= 2000 && array.n <= 2000) { // what loads is a matrix that works
      std::vector<double> x(static_cast<std::size_t>(array.n), 1), y(static_cast<std::size_t>(array.m)),
          z(y.size());
      ASSERT_EQ(RTspDMV(y.data(), &array, x.data(), array.m, array.n), RT_OK);
      ASSERT_EQ(RTspDMV(z.data(), &array, x.data(), array.m, array.n, RTBSR), RT_OK);
      for (std::size_t i = 0; i < y.size(); ++i)
        ASSERT_NEAR(y[i], z[i], 1e-9 * (1 + std::abs(y[i])));
    }
    ASSERT_EQ(RTspDArrayDestroy(&array), RT_OK);
  }
  EXPECT_GT(loaded, 50);
  EXPECT_GT(refused, 500);
}

} // namespace
