// Where regions run, by what they have learned: experiences that are made up, and what follows from them.
#include "warploom.h"

#include <gtest/gtest.h>
#include <utility>

namespace {

using warploom::Experience;
using warploom::Prospect;

Prospect work(double instances, double launches = 1) {
  Prospect prospect;
  prospect.instances = instances;
  prospect.launches = launches;
  prospect.deviceReady = true;
  return prospect;
}

/// How many of the first `calls` calls go to the device, when it takes `device` and the host `host` seconds.
int onDevice(Experience& experience, const Prospect& prospect, int calls, double device, double host) {
  int count = 0;
  for (int k = 0; k < calls; ++k)
    if (experience.choosesDevice(prospect)) {
      ++count;
      experience.noteDevice(device, 0);
    } else if (experience.wantsHostTime()) {
      experience.noteHost(host);
    } else {
      experience.countHost();
    }
  return count;
}

TEST(Choice, MuchWorkGoesToTheDeviceAtOnceAndLittleNever) {
  Experience much, little;
  EXPECT_EQ(onDevice(much, work(1e8), 10, 1e-4, 5e-2), 10);
  EXPECT_EQ(onDevice(little, work(100), 10, 1e-5, 5e-8), 0);
}

// However little of an array on the device the host uses, a page of it comes and goes.
TEST(Choice, LittleWorkStaysWhereItsDataIs) {
  Experience there, here;
  Prospect prospect = work(1000);
  EXPECT_EQ(onDevice(here, prospect, 10, 1e-5, 5e-7), 0);
  prospect.resident = 4000;
  prospect.residents = 1;
  EXPECT_GE(onDevice(there, prospect, 10, 1e-5, 5e-7), 9); // the host may show its time once
}

// Data that is moved once and stays is worth it when the region comes again.
TEST(Choice, WhatStaysOnTheDeviceIsBroughtThereAfterAWhile) {
  Experience experience;
  Prospect first = work(2e6);
  first.away = 1e8;
  int stayed = 0;
  while (stayed < 100 && !experience.choosesDevice(first))
    ++stayed;
  EXPECT_GT(stayed, 0);
  EXPECT_LT(stayed, 6);
  experience.noteDevice(1e-2, 0);
  Prospect then = work(2e6);
  then.resident = 1e8;
  EXPECT_GE(onDevice(experience, then, 100, 1e-5, 1e-3), 99);
}

// A mapped file is copied once, when that has paid, and then it is as if it were not there: the host has it,
// too.
TEST(Choice, WhatIsCopiedOnceIsCopiedWhenItHasPaid) {
  Experience experience;
  Prospect first = work(2e7); // 10 ms on the host
  first.once = 4e8;
  int stayed = 0;
  while (stayed < 100 && !experience.choosesDevice(first))
    ++stayed;
  EXPECT_GT(stayed, 3);
  EXPECT_LT(stayed, 8);
  experience.noteDevice(0.06, 0, true);
  EXPECT_EQ(onDevice(experience, work(2e7), 100, 1e-4, 1e-2), 100);
  Experience always; // the same, copied every time
  Prospect copies = work(2e7);
  copies.copied = 4e8;
  EXPECT_LT(onDevice(always, copies, 100, 5e-2, 1e-2), 5);
}

// A loop that is short on the host, over an array that is on the device, would fetch it.
TEST(Choice, WhatMovesAtTheSpeedOfTheLinkDoesSoMoreOften) {
  // 10 ms of work, of 100 MB, which take 12.5 ms by a plain copy.
  Prospect plain = work(2e7), linked = work(2e7);
  plain.copied = linked.linked = 1e8;
  Experience first, second;
  EXPECT_FALSE(first.choosesDevice(plain));
  EXPECT_TRUE(second.choosesDevice(linked));
  // Pages that have to be locked first are locked when the host has taken as long.
  linked.toLock = 1e8;
  Experience third;
  EXPECT_LT(onDevice(third, linked, 5, 3e-3, 1e-2), 1);
  linked.toLock = 0;
  EXPECT_GT(onDevice(third, linked, 5, 3e-3, 1e-2), 3);
}

TEST(Choice, WhatTheFirstRunTakesOnceIsNoRegionsSpeed) {
  // The first runs on the device take 5 ms, with memory and code that were not there; all others 1.
  Experience experience;
  const Prospect prospect = work(1e7);
  for (const double seconds : {5e-3, 5e-3, 1e-3}) {
    ASSERT_TRUE(experience.choosesDevice(prospect));
    experience.noteDevice(seconds, 0);
  }
  EXPECT_GE(onDevice(experience, prospect, 20, 1e-3, 3e-3), 19);
}

TEST(Choice, DataOnTheDeviceKeepsItsNeighboursThere) {
  Experience alone, among;
  Prospect prospect = work(4000);
  EXPECT_EQ(onDevice(alone, prospect, 10, 1e-5, 2e-6), 0);
  prospect.resident = 3e7;
  EXPECT_EQ(onDevice(among, prospect, 10, 1e-5, 2e-6), 10);
}

// The estimate is wrong by a factor of 100, either way: what happens decides, and looking costs little.
TEST(Choice, TimesDecideAgainstTheEstimate) {
  Experience slowDevice;
  const int calls = 2000;
  EXPECT_LT(onDevice(slowDevice, work(1e6), calls, 5e-2, 5e-4), 30);
  Experience slowHost;
  Prospect prospect = work(1e5);
  prospect.copied = 8e5; // 0.1 ms by the estimate, where the host seems to need half of it
  EXPECT_GT(onDevice(slowHost, prospect, calls, 1.2e-4, 5e-3), calls - 30);
}

// The first pass of a program: each call has other memory, which gets to the device page by page. A launch is
// ten times faster than the host afterwards, and some of these take ten times longer than it.
TEST(Choice, FirstTouchesAreNotARegionsSpeed) {
  Experience experience;
  Prospect fresh = work(2e6), then = work(2e6);
  fresh.away = 3e6;
  then.resident = 3e6;
  for (int layer = 0; layer < 12; ++layer)
    if (experience.choosesDevice(fresh)) experience.noteDevice(8e-3, 0, true);
  EXPECT_EQ(onDevice(experience, then, 100, 1e-4, 1e-3), 100);
  // A single fresh array later on changes nothing, either.
  EXPECT_TRUE(experience.choosesDevice(fresh));
  experience.noteDevice(5e-2, 0, true);
  EXPECT_EQ(onDevice(experience, then, 100, 1e-4, 1e-3), 100);
}

/// The seconds that are lost against the host, and how many of the last 100 calls go to the device, when all
/// `calls` of a region find so much of its memory away, or only every `period`th, and else none.
std::pair<double, int> bounce(int calls, int period, double touched, double device, double host) {
  Experience experience;
  double lost = 0;
  int late = 0;
  for (int k = 0; k < calls; ++k) {
    Prospect prospect = work(2e6);
    const bool isAway = k % period == 0;
    if (isAway) prospect.away = 1e6;
    if (experience.choosesDevice(prospect)) {
      experience.noteDevice(isAway ? touched : device, 0, isAway);
      lost += (isAway ? touched : device) - host;
      late += k >= calls - 100;
    } else if (experience.wantsHostTime()) {
      experience.noteHost(host);
    } else {
      experience.countHost();
    }
  }
  return {lost, late};
}

// Data that go back and forth at every call never get faster: the host has them, after a bounded loss.
TEST(Choice, MemoryThatBouncesKeepsARegionOnTheHost) {
  for (double touched : {3e-3, 1e-2, 1e-1}) {
    const auto [lost, late] = bounce(2000, 1, touched, 0, 1e-3);
    EXPECT_LT(lost, 0.1 + 25 * touched) << touched;
    EXPECT_LE(late, 2) << touched;
  }
  // Every second call is fast, and both together are slower than the host.
  const auto [lost, late] = bounce(2000, 2, 1e-2, 1e-4, 1e-3);
  EXPECT_LT(lost, 0.5);
  EXPECT_LE(late, 10);
  // Where all are faster than the host, they stay.
  EXPECT_GT(bounce(2000, 1, 5e-4, 0, 1e-3).second, 90);
  EXPECT_GT(bounce(2000, 20, 5e-3, 1e-4, 1e-3).second, 90);
}

// A run that was disturbed says little of those that come.
TEST(Choice, ASingleLongRunDoesNotSendARegionBack) {
  Experience experience;
  const Prospect prospect = work(600e3);
  bool chosen = false;
  for (int k = 0; k < 100; ++k) {
    chosen = experience.choosesDevice(prospect);
    if (chosen)
      experience.noteDevice(k == 90 ? 1e-3 : 22e-6, 0);
    else
      experience.noteHost(64e-6);
    if (k >= 90) EXPECT_TRUE(chosen) << k;
  }
  // Runs that all are long do.
  int onDevice = 0;
  for (int k = 0; k < 100; ++k)
    if (experience.choosesDevice(prospect)) {
      ++onDevice;
      experience.noteDevice(1e-3, 0);
    } else {
      experience.noteHost(64e-6);
    }
  EXPECT_LT(onDevice, 10);
}

// The loops around data begin to run long: a second such run is no disturbance any more.
TEST(Choice, LongRunsOnTheHostAreSeenSoon) {
  Experience experience;
  const Prospect prospect = work(100e3);
  double lost = 0;
  for (int k = 0; k < 1000; ++k)
    if (experience.choosesDevice(prospect)) {
      experience.noteDevice(20e-3, 0);
    } else {
      const double seconds = k < 100 ? 1e-3 : 1;
      if (experience.wantsHostTime())
        experience.noteHost(seconds);
      else
        experience.countHost();
      lost += k < 100 ? 0 : seconds;
    }
  EXPECT_LT(lost, 20);
}

// Every tenth is long: these are no single ones.
TEST(Choice, LongRunsAgainAndAgainSendARegionBack) {
  Experience experience;
  const Prospect prospect = work(600e3);
  int onDevice = 0;
  for (int k = 0, runs = 0; k < 2000; ++k)
    if (experience.choosesDevice(prospect)) {
      onDevice += k >= 1000;
      experience.noteDevice(++runs % 10 == 9 ? 2e-3 : 20e-6, 0);
    } else if (experience.wantsHostTime()) {
      experience.noteHost(64e-6);
    } else {
      experience.countHost();
    }
  EXPECT_LT(onDevice, 200);
}

// The first runs were slow since pages were on their way; a trial tells what runs take now.
TEST(Choice, ATrialThatIsFasterTellsAtOnce) {
  Experience experience;
  const Prospect prospect = work(600e3);
  int slow = 0, fast = 0;
  for (int k = 0; k < 1000 && fast < 5; ++k)
    if (!experience.choosesDevice(prospect)) {
      EXPECT_EQ(fast, 0);
      experience.noteHost(64e-6);
    } else if (slow < 3) {
      ++slow;
      experience.noteDevice(300e-6, 0);
    } else {
      ++fast;
      experience.noteDevice(15e-6, 0);
    }
  EXPECT_EQ(fast, 5);
}

// It is made beside the program, once there is something to gain, and only much work waits for it.
TEST(Choice, AContextIsNotMadeForAProgramThatEndsSoon) {
  Experience experience, patient, slow;
  Prospect prospect = work(2e6); // a millisecond on the host
  prospect.deviceReady = false;
  int before = 0;
  while (before < 10000 && !experience.wantsDevice()) {
    EXPECT_FALSE(experience.choosesDevice(prospect));
    ++before;
  }
  EXPECT_GT(before, 300); // what the context costs, in milliseconds
  EXPECT_LT(before, 500);
  prospect.beginning = 0.1;
  EXPECT_FALSE(experience.choosesDevice(prospect));
  prospect.deviceReady = true;
  prospect.firstUse =
      Experience::secondsOfCode + Experience::secondsOfContext; // then code and memory have to get there
  EXPECT_TRUE(experience.choosesDevice(prospect));              // which the host has missed already
  prospect.firstUse = 0;
  EXPECT_TRUE(experience.choosesDevice(prospect));
  Prospect much = work(1e11);
  much.deviceReady = false;
  EXPECT_TRUE(patient.choosesDevice(much));
  Prospect copies = prospect; // never worth it
  copies.copied = 1e9;
  copies.deviceReady = false;
  for (int k = 0; k < 1000; ++k)
    EXPECT_FALSE(slow.choosesDevice(copies));
  EXPECT_FALSE(slow.wantsDevice());
}

// Loops that promise much by the estimate let it be made at once, while the host shows what it takes.
TEST(Choice, AContextIsMadeBesideTheFirstRunWhereLoopsPromiseMuch) {
  Prospect prospect = work(2e8); // 100 ms on the host
  prospect.deviceReady = false;
  prospect.firstUse = Experience::secondsOfCode + Experience::secondsOfContext;
  for (const auto& [repeats, wanted] : {std::pair{100, true}, {5, false}}) {
    Experience experience;
    prospect.repeats = prospect.repeatsMost = repeats;
    EXPECT_FALSE(experience.choosesDevice(prospect)) << repeats;
    EXPECT_EQ(experience.wantsDevice(), wanted) << repeats;
  }
}

// Loops around a region tell how often it will run: then the device's first use is weighed against all of it.
TEST(Choice, WhatTheLoopsAroundItTellDecides) {
  constexpr double first = Experience::secondsOfCode + Experience::secondsOfContext;
  auto after = [](Experience& experience, Prospect prospect, int calls) {
    int stayed = 0;
    while (stayed < calls && !experience.choosesDevice(prospect)) {
      experience.noteHost(0.01);
      ++stayed;
    }
    return stayed;
  };
  Prospect prospect = work(2e7); // 10 ms on the host
  prospect.firstUse = first;
  Experience often, seldom, unknown, together, perhaps;
  prospect.repeats = prospect.repeatsMost = 1000;
  EXPECT_EQ(after(often, prospect, 100), 0);    // the device is ready, and so much is certain
  prospect.repeats = prospect.repeatsMost = 12; // 0.12 s in all
  EXPECT_EQ(after(seldom, prospect, 14), 14);   // two were before the loop
  EXPECT_FALSE(seldom.wantsDevice());
  prospect.promised = 0.5; // other regions of the loop need it
  EXPECT_LE(after(together, prospect, 30), 4);
  prospect.promised = 0;
  prospect.repeats = 3; // by a loop that may end sooner
  prospect.repeatsMost = 300;
  const int stayed = after(perhaps, prospect, 100);
  prospect.repeats = 1; // nothing is known: until as much has been lost
  prospect.repeatsMost = HUGE_VAL;
  EXPECT_EQ(after(unknown, prospect, 100), stayed);
  EXPECT_GT(stayed, 12);
  EXPECT_LT(stayed, 24);
}

// Loops of the host that nothing ends early are taken at their word: the device is begun with where what is
// left of them is clearly more than that takes.
TEST(Choice, CountedLoopsAreCertain) {
  Prospect prospect = work(4e7);
  prospect.deviceReady = false;
  prospect.firstUse = Experience::secondsOfCode + Experience::secondsOfContext;
  for (const bool certain : {true, false}) {
    Experience experience;
    prospect.repeats = 10; // of 80 ms each
    prospect.repeatsMost = certain ? 10 : 100;
    for (int k = 0; k < 2; ++k) {
      EXPECT_FALSE(experience.choosesDevice(prospect));
      EXPECT_FALSE(experience.wantsDevice());
      experience.noteHost(0.08);
    }
    EXPECT_FALSE(experience.choosesDevice(prospect));
    EXPECT_EQ(experience.wantsDevice(), certain);
  }
}

// Where a context is there, loops that only write memory nobody has used yet run on the device: the host
// would wait for its pages.
TEST(Choice, PagesThatNobodyHasYetAreMadeOnTheDevice) {
  Prospect prospect = work(8e6); // 4 ms on the host
  prospect.firstUse = Experience::secondsOfCode;
  prospect.away = 64e6;
  Experience touched, untouched;
  EXPECT_FALSE(touched.choosesDevice(prospect));
  prospect.fresh = 64e6;
  EXPECT_TRUE(untouched.choosesDevice(prospect));
}

TEST(Choice, LoopsAreKnownAsLongAsTheyRun) {
  warploom::HostLoops loops;
  char stack[100];
  EXPECT_EQ(loops.around(stack).times, 1);
  EXPECT_EQ(loops.around(stack).most, HUGE_VAL);
  loops.begin(40, false, stack + 80);
  loops.begin(5, false, stack + 60);
  EXPECT_EQ(loops.around(stack + 50).times, 200);
  EXPECT_EQ(loops.around(stack + 50).most, 200);
  const unsigned outer = loops.around(stack + 50).loop;
  loops.end(stack + 60);
  loops.begin(100, true, stack + 40); // in a function that then returns from inside
  EXPECT_EQ(loops.around(stack + 20).times, 400);
  EXPECT_EQ(loops.around(stack + 20).most, 4000);
  EXPECT_EQ(loops.around(stack + 70).times, 40);
  EXPECT_EQ(loops.around(stack + 70).loop, outer);
  loops.end(stack + 80);
  loops.end(stack + 80); // one too many
  EXPECT_EQ(loops.around(stack).times, 1);
  for (int k = 0; k < 100; ++k) // deeper than anybody writes
    loops.begin(2, false, stack);
  EXPECT_GT(loops.around(stack).times, 1);
}

// A region that is entered again and again and stays is asked now and then only.
TEST(Choice, ShortLoopsStayWithoutAQuestion) {
  static warploom::Site site("test:2");
  Experience& experience = site.with(500);
  Prospect prospect = work(500); // a quarter of a microsecond, where a launch takes four
  for (int k = 0; k < 4; ++k) {
    EXPECT_FALSE(experience.choosesDevice(prospect));
    EXPECT_EQ(experience.callsThatStay(prospect), 0u);
    experience.noteHost(0.25e-6);
  }
  EXPECT_FALSE(experience.choosesDevice(prospect));
  const unsigned calls = experience.callsThatStay(prospect);
  EXPECT_GT(calls, 5u);
  EXPECT_FALSE(site.staysOnHost(500));
  site.letStay(calls, 500);
  for (unsigned k = 0; k < calls; ++k)
    EXPECT_TRUE(site.staysOnHost(500));
  EXPECT_FALSE(site.staysOnHost(500));
  // What another region has brought to the device asks anew.
  site.letStay(calls, 500);
  warploom::Site::regionsOnDevice.fetch_add(1);
  EXPECT_FALSE(site.staysOnHost(500));
}

// Where the device is used after each passage, none of those that were let stay come: they are not counted as
// time that the host has spent.
TEST(Choice, PassagesThatDidNotComeAreNotCounted) {
  static warploom::Site site("test:3");
  unsigned onDevice = 0;
  for (int k = 0; k < 2000; ++k) {
    const double instances = 1100 + 0.1 * k; // of one order of magnitude
    ASSERT_FALSE(site.staysOnHost(instances));
    Experience& experience = site.with(instances);
    site.ask(instances);
    const Prospect prospect = work(instances);
    if (experience.choosesDevice(prospect)) {
      ++onDevice;
      continue;
    }
    experience.noteHost(0.25e-6);
    if (const unsigned calls = experience.callsThatStay(prospect)) site.letStay(calls, instances);
    warploom::Site::regionsOnDevice.fetch_add(1);
  }
  EXPECT_LT(onDevice, 20u);
}

// Work that grows a little from call to call stays without a question, as far as the same experience tells:
// what is more takes longer, and what is less may be about arrays that are on the device.
TEST(Choice, WorkOfOneOrderOfMagnitudeStaysWithoutAQuestion) {
  static warploom::Site site("test:4");
  site.letStay(10, 1100);
  EXPECT_TRUE(site.staysOnHost(2047));
  EXPECT_FALSE(site.staysOnHost(2048));
  EXPECT_TRUE(site.staysOnHost(1024));
  EXPECT_FALSE(site.staysOnHost(1023));
  site.letStay(3, 10); // each order by itself, as where a loop goes through levels of a grid
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(site.staysOnHost(1100));
    EXPECT_TRUE(site.staysOnHost(9));
  }
  EXPECT_FALSE(site.staysOnHost(9));
  EXPECT_TRUE(site.staysOnHost(1100));
  site.stayForGood();
  EXPECT_TRUE(site.staysOnHost(9) && site.staysOnHost(0) && site.staysOnHost(1e300));
}

// Memory of other passages is on the device: more of them are asked.
TEST(Choice, BesideADeviceInUseFewerStayWithoutAQuestion) {
  Experience experience;
  const Prospect prospect = work(500);
  for (int k = 0; k < 5; ++k) {
    EXPECT_FALSE(experience.choosesDevice(prospect));
    experience.noteHost(0.25e-6);
  }
  EXPECT_LE(experience.callsThatStay(prospect, true), 16u);
  EXPECT_GT(experience.callsThatStay(prospect), 16u);
}

TEST(Choice, OrdersOfMagnitudeLearnApart) {
  static warploom::Site site("test:1");
  EXPECT_EQ(&site.with(1000), &site.with(1010));
  EXPECT_NE(&site.with(1000), &site.with(100000));
  EXPECT_EQ(&site.with(0), &site.with(-5));
}

} // namespace
