// Scans: loops in which each iteration turns a value into the next one, `x = f_i(x)`, run in parallel because
// functions of one kind compose. On a grid in one pass over the data, with decoupled look-back: a block
// composes the functions of its tile of iterations, finds what comes before by looking at the tiles to its
// left, and then runs its iterations, each with the value that it begins with. By a warp one tile after the
// other. Used by generated kernels, in CUDA and on the CPU alike.
#pragma once

#include "warploom_reduce.h"

#include <cmath>

#ifndef WARPLOOM_SCAN_PAUSE // nanoseconds
#define WARPLOOM_SCAN_PAUSE 1600
#endif

namespace warploom {

// The kinds of functions. `identity()` changes nothing; `constant(x)` has the value x whatever comes before;
// `a.then(b)` is first a, then b; `value()` is the value of a constant. An `Item` is what one iteration does:
// `none()` is nothing, `of` makes a function of one, `ofAll` of one after the other, and `after` is the value
// that it makes of another. All are plain words.

/// The function of `items`, one after the other.
template <typename State, typename Item, int Items> __device__ State composed(const Item (&items)[Items]) {
  State all = State::of(items[0]);
#pragma unroll
  for (int k = 1; k < Items; ++k)
    all = all.then(State::of(items[k]));
  return all;
}

/// x -> x op part.
template <typename Op, typename T> struct Folded {
  T part;
  using Item = T;
  using Value = T;
  __device__ static Item none() { return Op::template identity<T>(); }
  __device__ static Folded of(Item item) { return {item}; }
  template <int Items> __device__ static Folded ofAll(const Item (&items)[Items]) {
    return composed<Folded>(items);
  }
  __device__ static Value after(Value x, Item item) { return Op()(x, item); }
  __device__ static Folded identity() { return {Op::template identity<T>()}; }
  __device__ static Folded constant(T x) { return {x}; }
  __device__ Folded then(const Folded& next) const { return {Op()(part, next.part)}; }
  __device__ T value() const { return part; }
};

/// x -> factor * x + term, of one iteration.
template <typename T> struct Line {
  T factor, term;
};

/// x -> factor * x + term. The arithmetic of generated statements works on it as on the number it stands for.
/// Whole numbers wrap around.
template <typename T, bool IsWhole = std::is_integral_v<T>> struct Affine {
  T factor, term;
  using Item = Line<T>;
  using Value = T;
  __device__ static Item none() { return {T(1), T(0)}; }
  __device__ static Affine of(Item item) { return {item.factor, item.term}; }
  template <int Items> __device__ static Affine ofAll(const Item (&items)[Items]) {
    return composed<Affine>(items);
  }
  __device__ static Value after(Value x, Item item) { return plus(times(item.factor, x), item.term); }
  __device__ Item item() const { return {factor, term}; }
  __device__ static Affine identity() { return {T(1), T(0)}; }
  __device__ static Affine constant(T x) { return {T(0), x}; }
  __device__ Affine then(const Affine& next) const {
    return {times(next.factor, factor), plus(times(next.factor, term), next.term)};
  }
  __device__ T value() const { return term; }

  __device__ Affine& operator+=(T b) { return *this = *this + b; }
  __device__ Affine& operator-=(T b) { return *this = *this - b; }
  __device__ Affine& operator*=(T b) { return *this = *this * b; }
  __device__ Affine& operator=(T b) { return *this = constant(b); }
  __device__ Affine operator-() const { return {minus(T(0), factor), minus(T(0), term)}; }
  friend __device__ Affine operator+(Affine a, T b) { return {a.factor, plus(a.term, b)}; }
  friend __device__ Affine operator+(T b, Affine a) { return {a.factor, plus(b, a.term)}; }
  friend __device__ Affine operator-(Affine a, T b) { return {a.factor, minus(a.term, b)}; }
  friend __device__ Affine operator-(T b, Affine a) { return {minus(T(0), a.factor), minus(b, a.term)}; }
  friend __device__ Affine operator*(Affine a, T b) { return {times(a.factor, b), times(a.term, b)}; }
  friend __device__ Affine operator*(T b, Affine a) { return {times(b, a.factor), times(b, a.term)}; }

private:
  using Word = Wrapping<T>;
  __device__ static T plus(T a, T b) { return static_cast<T>(static_cast<Word>(a) + static_cast<Word>(b)); }
  __device__ static T minus(T a, T b) { return static_cast<T>(static_cast<Word>(a) - static_cast<Word>(b)); }
  __device__ static T times(T a, T b) { return static_cast<T>(static_cast<Word>(a) * static_cast<Word>(b)); }
};

/// The same for floating-point numbers, with factor * 2^exponent for the factor: the product of many factors
/// may be too large or too small for T where what the loop computes is not.
template <typename T> struct Affine<T, false> {
  T factor, term;
  int exponent;
  using Item = Line<T>;
  using Value = T;
  __device__ static Item none() { return {T(1), T(0)}; }
  __device__ static Affine of(Item item) { return {item.factor, item.term, 0}; }
  /// Mostly the products of the factors are numbers of T that keep all digits, and nothing has to be scaled.
  template <int Items> __device__ static Affine ofAll(const Item (&items)[Items]) {
    T factor = items[0].factor, term = items[0].term, least = sizeOf(factor), most = least;
#pragma unroll
    for (int k = 1; k < Items; ++k) {
      factor *= items[k].factor;
      term = items[k].factor * term + items[k].term;
      const T size = sizeOf(factor);
      if (size < least) least = size;
      if (!(size <= most)) most = size;
    }
    if (most < large && least * large > 1) return {factor, term, 0};
    return composed<Affine>(items);
  }
  __device__ static Value after(Value x, Item item) { return item.factor * x + item.term; }
  __device__ Item item() const { return {factor, term}; }
  __device__ static Affine identity() { return {T(1), T(0), 0}; }
  __device__ static Affine constant(T x) { return {T(0), x, 0}; }
  __device__ Affine then(const Affine& next) const {
    if (exponent == 0 && next.exponent == 0 && isPlain() && next.isPlain())
      return {next.factor * factor, next.factor * term + next.term, 0};
    const Affine first = scaled(), second = next.scaled();
    return {second.factor * first.factor, second.linear(term) + next.term, first.exponent + second.exponent};
  }
  __device__ T value() const { return term; }

  __device__ Affine& operator+=(T b) { return *this = *this + b; }
  __device__ Affine& operator-=(T b) { return *this = *this - b; }
  __device__ Affine& operator*=(T b) { return *this = *this * b; }
  __device__ Affine& operator/=(T b) { return *this = *this / b; }
  __device__ Affine& operator=(T b) { return *this = constant(b); }
  __device__ Affine operator-() const { return {-factor, -term, exponent}; }
  friend __device__ Affine operator+(Affine a, T b) { return {a.factor, a.term + b, a.exponent}; }
  friend __device__ Affine operator+(T b, Affine a) { return {a.factor, b + a.term, a.exponent}; }
  friend __device__ Affine operator-(Affine a, T b) { return {a.factor, a.term - b, a.exponent}; }
  friend __device__ Affine operator-(T b, Affine a) { return {-a.factor, b - a.term, a.exponent}; }
  friend __device__ Affine operator*(Affine a, T b) { return {a.factor * b, a.term * b, a.exponent}; }
  friend __device__ Affine operator*(T b, Affine a) { return {b * a.factor, b * a.term, a.exponent}; }
  friend __device__ Affine operator/(Affine a, T b) { return {a.factor / b, a.term / b, a.exponent}; }

private:
  static constexpr T large =
      sizeof(T) == 8 ? T(3.2733906078961419e150) : T(1.152921504606847e18); // 2^500, 2^60
  __device__ static T sizeOf(T x) { return x < 0 ? -x : x; }
  /// The product with another such factor is a number of T.
  __device__ bool isPlain() const {
    const T size = sizeOf(factor);
    return size < large && size * large > 1;
  }
  /// 2^exponent, of which there is a number of T.
  __device__ static T power(int exponent) {
    using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
    constexpr int digits = sizeof(T) == 8 ? 52 : 23, bias = sizeof(T) == 8 ? 1023 : 127;
    const Word bits = static_cast<Word>(exponent + bias) << digits;
    T result;
    memcpy(&result, &bits, sizeof(T));
    return result;
  }
  /// factor * 2^exponent * x.
  __device__ T linear(T x) const {
    if (exponent == 0) return factor * x;
    constexpr int most = sizeof(T) == 8 ? 3000 : 360; // beyond that all is 0, or infinite
    const int all = exponent < -most ? -most : exponent > most ? most : exponent, third = all / 3;
    return x * power(third) * factor * power(third) * power(all - 2 * third);
  }
  /// The same function with a factor of which the product with another is a number of T.
  __device__ Affine scaled() const {
    constexpr int step = sizeof(T) == 8 ? 500 : 60; // large is 2^step
    if (isPlain()) return *this;
    const T size = sizeOf(factor);
    if (!(size > 0) || size > Bounds<T>::finite) return *this;
    Affine result = *this;
    while (sizeOf(result.factor) * large <= 1) {
      result.factor *= large;
      result.exponent -= step;
    }
    while (sizeOf(result.factor) >= large) {
      result.factor /= large;
      result.exponent += step;
    }
    return result;
  }
};

/// x -> last, or x where nothing was assigned.
template <typename T> struct Last {
  T last;
  int any;
  using Item = Last;
  using Value = T;
  __device__ static Item none() { return identity(); }
  __device__ static Last of(const Item& item) { return item; }
  template <int Items> __device__ static Last ofAll(const Item (&items)[Items]) {
    return composed<Last>(items);
  }
  __device__ static Value after(Value x, const Item& item) { return item.any ? item.last : x; }
  __device__ static Last identity() { return {T(), 0}; }
  __device__ static Last constant(T x) { return {x, 1}; }
  __device__ Last then(const Last& next) const { return next.any ? next : *this; }
  __device__ T value() const { return last; }
  __device__ Last& operator=(T x) { return *this = constant(x); }
};

struct Less {
  template <typename T> __device__ bool operator()(T a, T b) const { return a < b; }
};
struct LessOrEqual {
  template <typename T> __device__ bool operator()(T a, T b) const { return a <= b; }
};
struct Greater {
  template <typename T> __device__ bool operator()(T a, T b) const { return a > b; }
};
struct GreaterOrEqual {
  template <typename T> __device__ bool operator()(T a, T b) const { return a >= b; }
};

/// A value that may be chosen, or none yet. Generated statements compare with it and assign to it as to the
/// number it stands for: any number is better than none.
template <typename T> struct Candidate {
  T value;
  int any;
  __device__ static Candidate none() { return {T(), 0}; }
  __device__ Candidate& operator=(T x) { return *this = Candidate{x, 1}; }
  friend __device__ bool operator<(T x, Candidate c) { return c.any ? x < c.value : x == x; }
  friend __device__ bool operator<=(T x, Candidate c) { return c.any ? x <= c.value : x == x; }
  friend __device__ bool operator>(T x, Candidate c) { return c.any ? x > c.value : x == x; }
  friend __device__ bool operator>=(T x, Candidate c) { return c.any ? x >= c.value : x == x; }
  friend __device__ bool operator<(Candidate c, T x) { return x > c; }
  friend __device__ bool operator<=(Candidate c, T x) { return x >= c; }
  friend __device__ bool operator>(Candidate c, T x) { return x < c; }
  friend __device__ bool operator>=(Candidate c, T x) { return x <= c; }
};

/// What is set together with a value that is chosen: a number, and others.
template <typename T, typename Others> struct With {
  T value;
  Others others;
};
struct Alone {};

/// x -> best.value where that is there and compares so with x, else x; and `riders` of the same.
template <typename Compare, typename T, typename Riders> struct Chosen {
  Candidate<T> best;
  Riders riders;
  using Item = Chosen;
  using Value = With<T, Riders>;
  __device__ static Item none() { return identity(); }
  __device__ static Chosen of(const Item& item) { return item; }
  template <int Items> __device__ static Chosen ofAll(const Item (&items)[Items]) {
    return composed<Chosen>(items);
  }
  __device__ static Value after(const Value& x, const Item& item) {
    return item.best.any && Compare()(item.best.value, x.value) ? item.value() : x;
  }
  __device__ Value value() const { return {best.value, riders}; }
  __device__ static Chosen identity() { return {Candidate<T>::none(), Riders()}; }
  __device__ Chosen then(const Chosen& next) const {
    if (!next.best.any) return *this;
    return !best.any || Compare()(next.best.value, best.value) ? next : *this;
  }
};

/// Two things side by side.
template <typename A, typename B> struct Pair {
  A first;
  B second;
};

/// Two functions on two values, side by side.
template <typename A, typename B> struct Both {
  A first;
  B second;
  using Item = Pair<typename A::Item, typename B::Item>;
  using Value = Pair<typename A::Value, typename B::Value>;
  __device__ static Item none() { return {A::none(), B::none()}; }
  __device__ static Both of(const Item& item) { return {A::of(item.first), B::of(item.second)}; }
  template <int Items> __device__ static Both ofAll(const Item (&items)[Items]) {
    return composed<Both>(items);
  }
  __device__ static Value after(const Value& x, const Item& item) {
    return {A::after(x.first, item.first), B::after(x.second, item.second)};
  }
  __device__ Value value() const { return {first.value(), second.value()}; }
  __device__ static Both identity() { return {A::identity(), B::identity()}; }
  __device__ Both then(const Both& next) const { return {first.then(next.first), second.then(next.second)}; }
};

/// `value` of lane `from`, word by word. All lanes of the warp call it together.
template <typename State> __device__ State stateOf(const State& value, int from) {
  static_assert(sizeof(State) % 4 == 0, "a state is made of words");
  constexpr int words = sizeof(State) / 4;
  unsigned bits[words];
  memcpy(bits, &value, sizeof(State));
  for (int w = 0; w < words; ++w)
    bits[w] = __shfl_sync(0xffffffffu, bits[w], from);
  State result;
  memcpy(&result, bits, sizeof(State));
  return result;
}

/// Replaces `state`, of each lane, by the function of all lanes up to it. All lanes call it together.
template <typename State> __device__ void scanLanes(State& state, int lane) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const State left = stateOf(state, lane >= offset ? lane - offset : lane);
    if (lane >= offset) state = left.then(state);
  }
}

/// Puts a word of a state into shared memory. Where the word is a gap between members it has no value, and a
/// compiler leaves out what would be written; but whole words are read, as the sanitizer sees.
__device__ inline void putWord(unsigned& to, unsigned word) {
#ifdef __CUDACC__
  to = word;
#else
  const_cast<volatile unsigned&>(to) = word;
#endif
}
template <typename State> __device__ void putWords(unsigned* to, const State& state) {
  constexpr int words = sizeof(State) / 4;
  unsigned bits[words];
  memcpy(bits, &state, sizeof(State));
#pragma unroll
  for (int w = 0; w < words; ++w)
    putWord(to[w], bits[w]);
}

/// Where a warp changes the order of its items: row by row, as neighbouring lanes have neighbours, or each
/// lane with neighbours of its own. One word of each item at a time; padded where that is needed for lanes to
/// be on different banks.
template <int Items> struct Exchange {
  static constexpr int row = Items % 2 == 0 ? 33 : 32;
  unsigned words[row * Items];
  /// The word of item `k` of a lane that has neighbours of its own.
  __device__ static int own(int lane, int k) {
    if constexpr (Items % 2 != 0)
      return lane * Items + k;
    else if constexpr (32 % Items == 0)
      return lane * Items + lane * Items / 32 + k;
    else
      return lane * Items + k + (lane * Items + k) / 32;
  }

  template <typename T> __device__ void turn(T (&items)[Items], int lane, bool toRows) {
    static_assert(sizeof(T) % 4 == 0, "items are made of words");
    constexpr int count = sizeof(T) / 4;
#pragma unroll
    for (int w = 0; w < count; ++w) {
#pragma unroll
      for (int k = 0; k < Items; ++k) {
        unsigned bits[count];
        memcpy(bits, &items[k], sizeof(T));
        putWord(words[toRows ? own(lane, k) : k * row + lane], bits[w]);
      }
      __syncwarp();
#pragma unroll
      for (int k = 0; k < Items; ++k) {
        unsigned bits[count];
        memcpy(bits, &items[k], sizeof(T));
        bits[w] = words[toRows ? k * row + lane : own(lane, k)];
        memcpy(&items[k], bits, sizeof(T));
      }
      __syncwarp();
    }
  }
};

/// Items that do nothing, until they are told.
template <typename State, int Items> __device__ void clear(typename State::Item (&items)[Items]) {
#pragma unroll
  for (int item = 0; item < Items; ++item)
    items[item] = State::none();
}

/// What each of a lane's items begins with, where the first begins with `value`.
template <typename State, int Items>
__device__ void runOn(const typename State::Item (&items)[Items], typename State::Value value,
                      typename State::Value (&values)[Items]) {
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    values[k] = value;
    value = State::after(value, items[k]);
  }
}

/// What a warp's items begin with, of which there is a row for each element of `items` and one in it for each
/// lane: the value of `before`, after those in front. `before` becomes the function of all with it. All lanes
/// of the warp, one of `Warps` in a block of as many rows of threads, call it together.
template <int Warps, int Items, typename State>
__device__ void scanWarp(typename State::Item (&items)[Items], typename State::Value (&values)[Items],
                         State& before) {
  __shared__ Exchange<Items> exchanges[Warps];
  Exchange<Items>& exchange = exchanges[threadIdx.y];
  const int lane = static_cast<int>(threadIdx.x);
  exchange.turn(items, lane, false);
  State upTo = State::ofAll(items);
  scanLanes(upTo, lane);
  const State left = stateOf(upTo, lane > 0 ? lane - 1 : 0);
  runOn<State>(items, (lane > 0 ? before.then(left) : before).value(), values);
  before = before.then(stateOf(upTo, 31));
  exchange.turn(values, lane, true);
}

/// What blocks tell each other: a ticket, then for each tile what it does to the states, alone or with all
/// before it. Each word of that is told with a flag that says which, as one: readers need not wait for
/// others.
template <typename State> struct TileBoard {
  using Word = unsigned long long;
  static constexpr int stateWords = sizeof(State) / 4;
  static constexpr std::size_t wordsFor(long tiles) {
    return 1 + static_cast<std::size_t>(tiles) * stateWords;
  }
  static constexpr unsigned manyTiles = 1000; // more than run at a time
  enum Flag : unsigned { nothing, own, all };

  Word* memory;

  /// The next tile that nobody has taken: tiles are taken in order, so those to the left are being worked on.
  __device__ long take() const { return static_cast<long>(atomicAdd(memory, Word(1))); }

  __device__ static Word read(Word* word) {
#ifdef __CUDACC__
    return *static_cast<volatile Word*>(word);
#else
    return atomicCAS(word, Word(0), Word(0));
#endif
  }
  __device__ static void write(Word* word, Word value) {
#ifdef __CUDACC__
    *static_cast<volatile Word*>(word) = value;
#else
    atomicExch(word, value);
#endif
  }
  __device__ Word* of(long tile) const { return memory + 1 + tile * stateWords; }

  __device__ void publish(long tile, const State& state, Flag flag) const {
    unsigned bits[stateWords];
    memcpy(bits, &state, sizeof(State));
    for (int w = 0; w < stateWords; ++w)
      write(of(tile) + w, static_cast<Word>(flag) << 32 | bits[w]);
  }
  /// What is told of `tile`, in `state`, as soon as that is one thing.
  __device__ Flag look(long tile, State& state) const {
    unsigned bits[stateWords];
    Flag flag = all;
    for (int w = 0; w < stateWords; ++w) {
      const Word word = read(of(tile) + w);
      const Flag seen = static_cast<Flag>(word >> 32);
      if (w == 0) flag = seen;
      if (seen != flag) flag = nothing;
      bits[w] = static_cast<unsigned>(word);
    }
    memcpy(&state, bits, sizeof(State));
    return flag;
  }

  /// The function of all tiles before `tile`, which is not the first. All lanes of one warp call it together.
  /// Where there are many tiles it pays to wait first: soon others will have found what comes before them,
  /// and there are fewer to look at.
  __device__ State before(long tile, int lane) const {
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 700
    if (gridDim.x > manyTiles) __nanosleep(WARPLOOM_SCAN_PAUSE);
#endif
    State sum = State::identity();
    for (long nearest = tile - 1;; nearest -= 32) {
      const long mine = nearest - lane;
      State here = State::identity();
      Flag seen = mine < 0 ? all : look(mine, here);
      while (__any_sync(0xffffffffu, seen == nothing))
        if (seen == nothing) seen = look(mine, here);
      const unsigned complete = __ballot_sync(0xffffffffu, seen == all);
      const int farthest = complete ? __ffs(static_cast<int>(complete)) - 1 : 31;
      if (lane > farthest) here = State::identity();
      for (int offset = 1; offset < 32; offset *= 2) {
        const State left = stateOf(here, lane + offset < 32 ? lane + offset : lane);
        if (lane + offset < 32) here = left.then(here);
      }
      sum = stateOf(here, 0).then(sum);
      if (complete) return sum;
    }
  }
};

/// How many tiles of `each` iterations `count` iterations are.
inline unsigned tiles(long count, long each) {
  return static_cast<unsigned>(count > 0 ? (count + each - 1) / each : 0);
}

/// The number of item `item` of this thread in a tile: a warp has neighbouring iterations, row by row.
template <int Items> __device__ int itemNumber(int item) {
  const int thread = static_cast<int>(threadIdx.x);
  return thread / 32 * 32 * Items + item * 32 + thread % 32;
}

/// Runs `body` for the items of this thread, of which tiles have `Each` together and this one `here`, in
/// their order: with the number of an item of the thread, and its place in the tile.
template <int Items, int Each, typename Body> __device__ void eachItem(int here, Body body) {
  if (here == Each) { // nothing to ask: items can be loaded together
#pragma unroll
    for (int item = 0; item < Items; ++item)
      body(item, itemNumber<Items>(item));
  } else {
#pragma unroll
    for (int item = 0; item < Items; ++item)
      if (itemNumber<Items>(item) < here) body(item, itemNumber<Items>(item));
  }
}

/// True in the thread that has the item at `place`.
template <int Items> __device__ bool hasItem(int place) {
  const int thread = static_cast<int>(threadIdx.x);
  return thread / 32 == place / (32 * Items) && thread % 32 == place % 32;
}

/// How many of `count` iterations there are from `start` on, at most `each`.
template <typename Index> __device__ int itemsFrom(Index start, Index count, int each) {
  return count - start < each ? static_cast<int>(count - start) : each;
}

/// The tile that this block works on: those to the left are being worked on, or done. Every thread of the
/// block calls it, once. A GPU begins blocks in their order; elsewhere they take tickets.
template <typename State> __device__ long nextTile(TileBoard<State> board) {
#ifdef __CUDACC__
  (void)board;
  return blockIdx.x;
#else
  __shared__ long tile;
  if (threadIdx.x == 0) tile = board.take();
  __syncthreads();
  return tile;
#endif
}

/// What each item, in the order of itemNumber, begins with. `initial`, a constant, is what the first tile
/// begins with. Every thread of the block, a line of `Threads`, calls it.
template <int Threads, int Items, typename State>
__device__ void scanTile(typename State::Item (&items)[Items], typename State::Value (&values)[Items],
                         long tile, const State& initial, TileBoard<State> board) {
  static_assert(Threads % 32 == 0 && Threads <= 1024, "a block of a scan is made of warps");
  constexpr int warps = Threads / 32, stateWords = sizeof(State) / 4;
  __shared__ Exchange<Items> exchanges[warps];
  __shared__ unsigned totals[warps][stateWords];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;

  exchanges[warp].turn(items, lane, false);
  State upTo = State::ofAll(items);
  scanLanes(upTo, lane);
  const State left = stateOf(upTo, lane > 0 ? lane - 1 : 0);
  if (lane == 31) putWords(totals[warp], upTo);
  __syncthreads();
  if (warp == 0) {
    State upToWarp = State::identity();
    if (lane < warps) memcpy(&upToWarp, totals[lane], sizeof(State));
    scanLanes(upToWarp, lane);
    const State total = stateOf(upToWarp, 31), others = stateOf(upToWarp, lane > 0 ? lane - 1 : 0);
    State before = initial;
    if (tile > 0) {
      if (lane == 0) board.publish(tile, total, TileBoard<State>::own);
      before = board.before(tile, lane);
    }
    if (lane == 0) board.publish(tile, before.then(total), TileBoard<State>::all);
    const State begins = lane > 0 ? before.then(others) : before;
    if (lane < warps) putWords(totals[lane], begins);
  }
  __syncthreads();
  State begins;
  memcpy(&begins, totals[warp], sizeof(State));
  runOn<State>(items, (lane > 0 ? begins.then(left) : begins).value(), values);
  exchanges[warp].turn(values, lane, true);
}

/// The value at `from`, which the last tile overwrites once it has seen what the first one made of it.
template <typename T> __device__ T firstValue(T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "states of scans are words");
#ifdef __CUDACC__
  return *static_cast<volatile T*>(from);
#else
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  const Word bits = atomicCAS(reinterpret_cast<Word*>(from), Word(0), Word(0));
  T value;
  memcpy(&value, &bits, sizeof(T));
  return value;
#endif
}

/// Leaves `value`, of the last iteration.
template <typename T> __device__ void lastValue(T* to, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "states of scans are words");
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  Word bits;
  memcpy(&bits, &value, sizeof(T));
  atomicExch(reinterpret_cast<Word*>(to), bits);
}

/// A board for `tiles` tiles, of which none has begun. Given back after the work that the stream then holds.
template <typename State> class TileMemory {
public:
  TileMemory(unsigned tiles, Stream stream) : stream(stream) {
    const std::size_t bytes = TileBoard<State>::wordsFor(tiles) * sizeof(typename TileBoard<State>::Word);
    memory = allocate(bytes, stream);
    fill(memory, 0, bytes, stream);
  }
  TileMemory(const TileMemory&) = delete;
  TileMemory& operator=(const TileMemory&) = delete;
  ~TileMemory() { release(memory, stream); }
  operator TileBoard<State>() const { return {static_cast<typename TileBoard<State>::Word*>(memory)}; }

private:
  Stream stream;
  void* memory;
};

} // namespace warploom
