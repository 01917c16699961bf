// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// From which call on ranks meet that nobody may hold up (StartVote): a call is proposed, voted for ahead, and carried or
// called off in one word. After a meeting that was closed they vote anew. Nothing here waits, so nothing hangs, but once
// for a call in which all wait for all, in the midst of a vote: the ranks give that up, and vote anew for calls of other
// numbers. With AGAINST a rank may be against it in any call.
// Proven: of each call all ranks find alike whether they begin with it.
//
// CHECK RANKS=2 CALLS=6
// CHECK RANKS=3 CALLS=3
// CHECK RANKS=2 CALLS=6 AGAINST=1
// CHECK RANKS=3 CALLS=3 AGAINST=1
// MORE RANKS=3 CALLS=4 AGAINST=1
// MORE RANKS=3 CALLS=4
// MORE RANKS=3 CALLS=6
// MORE RANKS=4 CALLS=4
// BROKEN LATE_RANK_GOES_ON: who comes to a call for which not all have voted does not call it off
// BROKEN VOTES_LATE: a rank votes for a call that it has come to
// BROKEN CARRIED_IS_NOT_NOTED: a new call is proposed in the place of one that was carried, which a late rank cannot know
// BROKEN FORGETS_ITS_VOTE: a rank votes for another call before it has come to the one that may have been carried
// BROKEN KEEPS_NUMBERS: behind the call in which all wait for all a vote goes on that some rank has given up
// BROKEN VOTES_TWICE: a rank votes for a call that it has voted for
#define none 0
#define unknown 0
#define no 1
#define yes 2

byte vote_call;      // the call proposed, and how many are for it: one word
byte votes;
byte carried_call;   // the one carried before
byte found[CALLS];   // by call: whether a rank has begun with it
byte closed[CALLS];  // the meeting of that call, which is closed or not for all
byte all_before;     // this call, all wait for all; 0: before none
byte come;           // ranks that are there
#define longest_distance 2

#define replace(a, b, new_call, new_votes)                   \
  atomic {                                                   \
    replaced = (vote_call == (a) && votes == (b));           \
    if                                                       \
    :: replaced -> vote_call = (new_call); votes = (new_votes) \
    :: else                                                  \
    fi                                                       \
  }

inline finds(answer) {
  atomic {
    assert(found[call - 1] == unknown || found[call - 1] == answer);
    found[call - 1] = answer;
    settled = true;
    seen_call = 0; seen_votes = 0; noted = 0; distance = 0; replaced = false
  }
}

inline begins() {
  settled = (voted_for != none && call < voted_for);
  if
  :: settled -> finds(no)
  :: else
  fi;
  do
  :: settled -> break
  :: else ->
     atomic { seen_call = vote_call; seen_votes = votes; replaced = false; distance = 0; noted = 0 }
     if
#ifndef VOTES_TWICE
     :: voted_for != none && seen_call == voted_for && seen_votes > 0 ->
        if
        :: call >= voted_for && seen_votes == RANKS -> atomic { began = true; voted_for = none; finds(yes) }
        :: call >= voted_for && seen_votes < RANKS ->
#ifdef LATE_RANK_GOES_ON
           atomic { voted_for = none; finds(no) }
#else
           replace(seen_call, seen_votes, none, 0)
#endif
        fi
#endif
     :: else ->
        noted = carried_call;
        if
#ifndef FORGETS_ITS_VOTE
        :: voted_for != none && seen_call != voted_for && noted == voted_for ->
           if
           :: call == voted_for -> atomic { began = true; voted_for = none; finds(yes) }
           :: else -> finds(no)
           fi
#endif
        :: else ->
           voted_for = none;
           if
#ifdef AGAINST
           :: seen_votes == 0 || seen_votes == RANKS || seen_call > call -> finds(no)
#endif
           :: seen_votes == 0 || seen_votes == RANKS ->
              if
#ifndef CARRIED_IS_NOT_NOTED
              :: seen_votes == RANKS -> carried_call = seen_call
#endif
              :: else
              fi;
              atomic {
                if
                :: distance = 1
                :: distance = 2
                fi;
                replace(seen_call, seen_votes, call + distance, 1)
              }
              if
              :: replaced -> atomic { voted_for = call + distance; finds(no) }
              :: else
              fi
#ifdef VOTES_LATE
           :: seen_votes > 0 && seen_votes < RANKS && seen_call < call -> replace(seen_call, seen_votes, none, 0)
           :: seen_votes > 0 && seen_votes < RANKS && seen_call >= call ->
#else
           :: seen_votes > 0 && seen_votes < RANKS && seen_call <= call -> replace(seen_call, seen_votes, none, 0)
           :: seen_votes > 0 && seen_votes < RANKS && seen_call > call ->
#endif
              replace(seen_call, seen_votes, seen_call, seen_votes + 1);
              if
              :: replaced -> atomic { voted_for = seen_call; finds(no) }
              :: else
              fi
           fi
        fi
     fi
  od
}

proctype rank(byte me) {
  byte call = 1, voted_for, seen_call, seen_votes, noted, distance;
  bool settled, replaced, began, has_come;
  do
  :: call == all_before && !has_come ->
     atomic { come++; has_come = true };
     atomic {
       come == RANKS;
       voted_for = none;
#ifndef KEEPS_NUMBERS
       call = call + longest_distance
#endif
     }
  :: call <= CALLS && (call != all_before || has_come) ->
     begins();
     atomic {
       if
       :: began ->
          began = false;
          if
          :: closed[call - 1] == unknown -> closed[call - 1] = yes
          :: closed[call - 1] == unknown -> closed[call - 1] = no
          :: closed[call - 1] != unknown
          fi;
          if
          :: closed[call - 1] == no -> break  // they meet from now on
          :: else
          fi
       :: else
       fi;
       call++
     }
  :: else -> break
  od
}

init {
  byte i;
  atomic {
    select(all_before : 0 .. CALLS);
    do
    :: i < RANKS -> run rank(i); i++
    :: else -> break
    od
  }
}
