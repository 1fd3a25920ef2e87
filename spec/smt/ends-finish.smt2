; For each cell the least and the greatest number that it can hold in a full tower, the Finish card (25) on d7 under between=strict.
; The apex is no cell to count; cells above it count from it as well, cells below it down from it.
; For each end: nothing beyond is possible (unsat), and a tower that attains it (sat). That each card exists
; once (SET06) enters the former as a bound on a count (counting.smt2); the latter asks for all of it.
(set-info :smt-lib-version 2.6)
(set-logic QF_LIA)

; the number on each cell
(declare-const d1 Int)
(declare-const d2 Int)
(declare-const e1 Int)
(declare-const d3 Int)
(declare-const e2 Int)
(declare-const d4 Int)
(declare-const f1 Int)
(declare-const e3 Int)
(declare-const d5 Int)
(declare-const f2 Int)
(declare-const e4 Int)
(declare-const d6 Int)
(declare-const g1 Int)
(declare-const f3 Int)
(declare-const e5 Int)
(declare-const g2 Int)
(declare-const f4 Int)
(declare-const e6 Int)
(declare-const h1 Int)
(declare-const g3 Int)
(declare-const f5 Int)
(declare-const h2 Int)
(declare-const g4 Int)
(declare-const i1 Int)
(declare-const h3 Int)
(declare-const i2 Int)
(declare-const j1 Int)
(assert (<= 1 d1 50))
(assert (<= 1 d2 50))
(assert (<= 1 e1 50))
(assert (<= 1 d3 50))
(assert (<= 1 e2 50))
(assert (<= 1 d4 50))
(assert (<= 1 f1 50))
(assert (<= 1 e3 50))
(assert (<= 1 d5 50))
(assert (<= 1 f2 50))
(assert (<= 1 e4 50))
(assert (<= 1 d6 50))
(assert (<= 1 g1 50))
(assert (<= 1 f3 50))
(assert (<= 1 e5 50))
(assert (<= 1 g2 50))
(assert (<= 1 f4 50))
(assert (<= 1 e6 50))
(assert (<= 1 h1 50))
(assert (<= 1 g3 50))
(assert (<= 1 f5 50))
(assert (<= 1 h2 50))
(assert (<= 1 g4 50))
(assert (<= 1 i1 50))
(assert (<= 1 h3 50))
(assert (<= 1 i2 50))
(assert (<= 1 j1 50))
(assert (! (< d1 d2) :named |TOW02 d1 d2|))
(assert (! (< d2 e1) :named |TOW02 d2 e1|))
(assert (! (< d2 d3) :named |TOW02 d2 d3|))
(assert (! (< d3 e2) :named |TOW02 d3 e2|))
(assert (! (< e1 e2) :named |TOW02 e1 e2|))
(assert (! (< e2 f1) :named |TOW02 e2 f1|))
(assert (! (< d3 d4) :named |TOW02 d3 d4|))
(assert (! (< d4 e3) :named |TOW02 d4 e3|))
(assert (! (< e2 e3) :named |TOW02 e2 e3|))
(assert (! (< e3 f2) :named |TOW02 e3 f2|))
(assert (! (< d4 d5) :named |TOW02 d4 d5|))
(assert (! (< d5 e4) :named |TOW02 d5 e4|))
(assert (! (< f1 f2) :named |TOW02 f1 f2|))
(assert (! (< f2 g1) :named |TOW02 f2 g1|))
(assert (! (< e3 e4) :named |TOW02 e3 e4|))
(assert (! (< e4 f3) :named |TOW02 e4 f3|))
(assert (! (< d5 d6) :named |TOW02 d5 d6|))
(assert (! (< d6 e5) :named |TOW02 d6 e5|))
(assert (! (< f2 f3) :named |TOW02 f2 f3|))
(assert (! (< f3 g2) :named |TOW02 f3 g2|))
(assert (! (< e4 e5) :named |TOW02 e4 e5|))
(assert (! (< e5 f4) :named |TOW02 e5 f4|))
(assert (! (< g1 g2) :named |TOW02 g1 g2|))
(assert (! (< g2 h1) :named |TOW02 g2 h1|))
(assert (! (< f3 f4) :named |TOW02 f3 f4|))
(assert (! (< f4 g3) :named |TOW02 f4 g3|))
(assert (! (< e5 e6) :named |TOW02 e5 e6|))
(assert (! (< e6 f5) :named |TOW02 e6 f5|))
(assert (! (< g2 g3) :named |TOW02 g2 g3|))
(assert (! (< g3 h2) :named |TOW02 g3 h2|))
(assert (! (< f4 f5) :named |TOW02 f4 f5|))
(assert (! (< f5 g4) :named |TOW02 f5 g4|))
(assert (! (< h1 h2) :named |TOW02 h1 h2|))
(assert (! (< h2 i1) :named |TOW02 h2 i1|))
(assert (! (< g3 g4) :named |TOW02 g3 g4|))
(assert (! (< g4 h3) :named |TOW02 g4 h3|))
(assert (! (< h2 h3) :named |TOW02 h2 h3|))
(assert (! (< h3 i2) :named |TOW02 h3 i2|))
(assert (! (< i1 i2) :named |TOW02 i1 i2|))
(assert (! (< i2 j1) :named |TOW02 i2 j1|))
(assert (! (< d6 25) :named |TOW02 d6 d7|))
(assert (! (< 25 e6) :named |TOW02 d7 e6|))

; d1: at least 1
(push 1)
(assert (! (<= (+ (ite (< 0 d1 1) 1 0) (ite (< 0 d2 1) 1 0) (ite (< 0 e1 1) 1 0) (ite (< 0 d3 1) 1 0) (ite (< 0 e2 1) 1 0) (ite (< 0 d4 1) 1 0) (ite (< 0 f1 1) 1 0) (ite (< 0 e3 1) 1 0) (ite (< 0 d5 1) 1 0) (ite (< 0 f2 1) 1 0) (ite (< 0 e4 1) 1 0) (ite (< 0 d6 1) 1 0) (ite (< 0 g1 1) 1 0) (ite (< 0 f3 1) 1 0) (ite (< 0 e5 1) 1 0) (ite (< 0 g2 1) 1 0) (ite (< 0 f4 1) 1 0) (ite (< 0 e6 1) 1 0) (ite (< 0 h1 1) 1 0) (ite (< 0 g3 1) 1 0) (ite (< 0 f5 1) 1 0) (ite (< 0 h2 1) 1 0) (ite (< 0 g4 1) 1 0) (ite (< 0 i1 1) 1 0) (ite (< 0 h3 1) 1 0) (ite (< 0 i2 1) 1 0) (ite (< 0 j1 1) 1 0)) 0) :named |SET06 between 0 and 1|))
(assert (< d1 1))
(set-info :status unsat)
(check-sat)
(pop 1)

; d1 can be 1
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; d1: at most 19
(push 1)
(assert (! (<= (+ (ite (< 19 d1 25) 1 0) (ite (< 19 d2 25) 1 0) (ite (< 19 e1 25) 1 0) (ite (< 19 d3 25) 1 0) (ite (< 19 e2 25) 1 0) (ite (< 19 d4 25) 1 0) (ite (< 19 f1 25) 1 0) (ite (< 19 e3 25) 1 0) (ite (< 19 d5 25) 1 0) (ite (< 19 f2 25) 1 0) (ite (< 19 e4 25) 1 0) (ite (< 19 d6 25) 1 0) (ite (< 19 g1 25) 1 0) (ite (< 19 f3 25) 1 0) (ite (< 19 e5 25) 1 0) (ite (< 19 g2 25) 1 0) (ite (< 19 f4 25) 1 0) (ite (< 19 e6 25) 1 0) (ite (< 19 h1 25) 1 0) (ite (< 19 g3 25) 1 0) (ite (< 19 f5 25) 1 0) (ite (< 19 h2 25) 1 0) (ite (< 19 g4 25) 1 0) (ite (< 19 i1 25) 1 0) (ite (< 19 h3 25) 1 0) (ite (< 19 i2 25) 1 0) (ite (< 19 j1 25) 1 0)) 5) :named |SET06 between 19 and 25|))
(assert (> d1 19))
(set-info :status unsat)
(check-sat)
(pop 1)

; d1 can be 19
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 19) (= e1 25) (= f1 27) (= g1 31) (= h1 37) (= i1 42) (= j1 45) (= d2 20) (= e2 26) (= f2 29) (= g2 34) (= h2 40) (= i2 44) (= d3 21) (= e3 28) (= f3 32) (= g3 38) (= h3 43) (= d4 22) (= e4 30) (= f4 35) (= g4 41) (= d5 23) (= e5 33) (= f5 39) (= d6 24) (= e6 36)))
(set-info :status sat)
(check-sat)
(pop 1)

; d2: at least 2
(push 1)
(assert (! (<= (+ (ite (< 0 d1 2) 1 0) (ite (< 0 d2 2) 1 0) (ite (< 0 e1 2) 1 0) (ite (< 0 d3 2) 1 0) (ite (< 0 e2 2) 1 0) (ite (< 0 d4 2) 1 0) (ite (< 0 f1 2) 1 0) (ite (< 0 e3 2) 1 0) (ite (< 0 d5 2) 1 0) (ite (< 0 f2 2) 1 0) (ite (< 0 e4 2) 1 0) (ite (< 0 d6 2) 1 0) (ite (< 0 g1 2) 1 0) (ite (< 0 f3 2) 1 0) (ite (< 0 e5 2) 1 0) (ite (< 0 g2 2) 1 0) (ite (< 0 f4 2) 1 0) (ite (< 0 e6 2) 1 0) (ite (< 0 h1 2) 1 0) (ite (< 0 g3 2) 1 0) (ite (< 0 f5 2) 1 0) (ite (< 0 h2 2) 1 0) (ite (< 0 g4 2) 1 0) (ite (< 0 i1 2) 1 0) (ite (< 0 h3 2) 1 0) (ite (< 0 i2 2) 1 0) (ite (< 0 j1 2) 1 0)) 1) :named |SET06 between 0 and 2|))
(assert (< d2 2))
(set-info :status unsat)
(check-sat)
(pop 1)

; d2 can be 2
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; d2: at most 20
(push 1)
(assert (! (<= (+ (ite (< 20 d1 25) 1 0) (ite (< 20 d2 25) 1 0) (ite (< 20 e1 25) 1 0) (ite (< 20 d3 25) 1 0) (ite (< 20 e2 25) 1 0) (ite (< 20 d4 25) 1 0) (ite (< 20 f1 25) 1 0) (ite (< 20 e3 25) 1 0) (ite (< 20 d5 25) 1 0) (ite (< 20 f2 25) 1 0) (ite (< 20 e4 25) 1 0) (ite (< 20 d6 25) 1 0) (ite (< 20 g1 25) 1 0) (ite (< 20 f3 25) 1 0) (ite (< 20 e5 25) 1 0) (ite (< 20 g2 25) 1 0) (ite (< 20 f4 25) 1 0) (ite (< 20 e6 25) 1 0) (ite (< 20 h1 25) 1 0) (ite (< 20 g3 25) 1 0) (ite (< 20 f5 25) 1 0) (ite (< 20 h2 25) 1 0) (ite (< 20 g4 25) 1 0) (ite (< 20 i1 25) 1 0) (ite (< 20 h3 25) 1 0) (ite (< 20 i2 25) 1 0) (ite (< 20 j1 25) 1 0)) 4) :named |SET06 between 20 and 25|))
(assert (> d2 20))
(set-info :status unsat)
(check-sat)
(pop 1)

; d2 can be 20
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 25) (= f1 27) (= g1 31) (= h1 37) (= i1 42) (= j1 45) (= d2 20) (= e2 26) (= f2 29) (= g2 34) (= h2 40) (= i2 44) (= d3 21) (= e3 28) (= f3 32) (= g3 38) (= h3 43) (= d4 22) (= e4 30) (= f4 35) (= g4 41) (= d5 23) (= e5 33) (= f5 39) (= d6 24) (= e6 36)))
(set-info :status sat)
(check-sat)
(pop 1)

; e1: at least 3
(push 1)
(assert (! (<= (+ (ite (< 0 d1 3) 1 0) (ite (< 0 d2 3) 1 0) (ite (< 0 e1 3) 1 0) (ite (< 0 d3 3) 1 0) (ite (< 0 e2 3) 1 0) (ite (< 0 d4 3) 1 0) (ite (< 0 f1 3) 1 0) (ite (< 0 e3 3) 1 0) (ite (< 0 d5 3) 1 0) (ite (< 0 f2 3) 1 0) (ite (< 0 e4 3) 1 0) (ite (< 0 d6 3) 1 0) (ite (< 0 g1 3) 1 0) (ite (< 0 f3 3) 1 0) (ite (< 0 e5 3) 1 0) (ite (< 0 g2 3) 1 0) (ite (< 0 f4 3) 1 0) (ite (< 0 e6 3) 1 0) (ite (< 0 h1 3) 1 0) (ite (< 0 g3 3) 1 0) (ite (< 0 f5 3) 1 0) (ite (< 0 h2 3) 1 0) (ite (< 0 g4 3) 1 0) (ite (< 0 i1 3) 1 0) (ite (< 0 h3 3) 1 0) (ite (< 0 i2 3) 1 0) (ite (< 0 j1 3) 1 0)) 2) :named |SET06 between 0 and 3|))
(assert (< e1 3))
(set-info :status unsat)
(check-sat)
(pop 1)

; e1 can be 3
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 4) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 5) (= e4 12) (= f4 17) (= g4 28) (= d5 6) (= e5 15) (= f5 27) (= d6 7) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; e1: at most 30
(push 1)
(assert (! (<= (+ (ite (< 30 d1 51) 1 0) (ite (< 30 d2 51) 1 0) (ite (< 30 e1 51) 1 0) (ite (< 30 d3 51) 1 0) (ite (< 30 e2 51) 1 0) (ite (< 30 d4 51) 1 0) (ite (< 30 f1 51) 1 0) (ite (< 30 e3 51) 1 0) (ite (< 30 d5 51) 1 0) (ite (< 30 f2 51) 1 0) (ite (< 30 e4 51) 1 0) (ite (< 30 d6 51) 1 0) (ite (< 30 g1 51) 1 0) (ite (< 30 f3 51) 1 0) (ite (< 30 e5 51) 1 0) (ite (< 30 g2 51) 1 0) (ite (< 30 f4 51) 1 0) (ite (< 30 e6 51) 1 0) (ite (< 30 h1 51) 1 0) (ite (< 30 g3 51) 1 0) (ite (< 30 f5 51) 1 0) (ite (< 30 h2 51) 1 0) (ite (< 30 g4 51) 1 0) (ite (< 30 i1 51) 1 0) (ite (< 30 h3 51) 1 0) (ite (< 30 i2 51) 1 0) (ite (< 30 j1 51) 1 0)) 20) :named |SET06 between 30 and 51|))
(assert (> e1 30))
(set-info :status unsat)
(check-sat)
(pop 1)

; e1 can be 30
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 30) (= f1 32) (= g1 36) (= h1 42) (= i1 47) (= j1 50) (= d2 2) (= e2 31) (= f2 34) (= g2 39) (= h2 45) (= i2 49) (= d3 3) (= e3 33) (= f3 37) (= g3 43) (= h3 48) (= d4 4) (= e4 35) (= f4 40) (= g4 46) (= d5 5) (= e5 38) (= f5 44) (= d6 6) (= e6 41)))
(set-info :status sat)
(check-sat)
(pop 1)

; d3: at least 3
(push 1)
(assert (! (<= (+ (ite (< 0 d1 3) 1 0) (ite (< 0 d2 3) 1 0) (ite (< 0 e1 3) 1 0) (ite (< 0 d3 3) 1 0) (ite (< 0 e2 3) 1 0) (ite (< 0 d4 3) 1 0) (ite (< 0 f1 3) 1 0) (ite (< 0 e3 3) 1 0) (ite (< 0 d5 3) 1 0) (ite (< 0 f2 3) 1 0) (ite (< 0 e4 3) 1 0) (ite (< 0 d6 3) 1 0) (ite (< 0 g1 3) 1 0) (ite (< 0 f3 3) 1 0) (ite (< 0 e5 3) 1 0) (ite (< 0 g2 3) 1 0) (ite (< 0 f4 3) 1 0) (ite (< 0 e6 3) 1 0) (ite (< 0 h1 3) 1 0) (ite (< 0 g3 3) 1 0) (ite (< 0 f5 3) 1 0) (ite (< 0 h2 3) 1 0) (ite (< 0 g4 3) 1 0) (ite (< 0 i1 3) 1 0) (ite (< 0 h3 3) 1 0) (ite (< 0 i2 3) 1 0) (ite (< 0 j1 3) 1 0)) 2) :named |SET06 between 0 and 3|))
(assert (< d3 3))
(set-info :status unsat)
(check-sat)
(pop 1)

; d3 can be 3
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; d3: at most 21
(push 1)
(assert (! (<= (+ (ite (< 21 d1 25) 1 0) (ite (< 21 d2 25) 1 0) (ite (< 21 e1 25) 1 0) (ite (< 21 d3 25) 1 0) (ite (< 21 e2 25) 1 0) (ite (< 21 d4 25) 1 0) (ite (< 21 f1 25) 1 0) (ite (< 21 e3 25) 1 0) (ite (< 21 d5 25) 1 0) (ite (< 21 f2 25) 1 0) (ite (< 21 e4 25) 1 0) (ite (< 21 d6 25) 1 0) (ite (< 21 g1 25) 1 0) (ite (< 21 f3 25) 1 0) (ite (< 21 e5 25) 1 0) (ite (< 21 g2 25) 1 0) (ite (< 21 f4 25) 1 0) (ite (< 21 e6 25) 1 0) (ite (< 21 h1 25) 1 0) (ite (< 21 g3 25) 1 0) (ite (< 21 f5 25) 1 0) (ite (< 21 h2 25) 1 0) (ite (< 21 g4 25) 1 0) (ite (< 21 i1 25) 1 0) (ite (< 21 h3 25) 1 0) (ite (< 21 i2 25) 1 0) (ite (< 21 j1 25) 1 0)) 3) :named |SET06 between 21 and 25|))
(assert (> d3 21))
(set-info :status unsat)
(check-sat)
(pop 1)

; d3 can be 21
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 26) (= g1 30) (= h1 36) (= i1 41) (= j1 44) (= d2 2) (= e2 25) (= f2 28) (= g2 33) (= h2 39) (= i2 43) (= d3 21) (= e3 27) (= f3 31) (= g3 37) (= h3 42) (= d4 22) (= e4 29) (= f4 34) (= g4 40) (= d5 23) (= e5 32) (= f5 38) (= d6 24) (= e6 35)))
(set-info :status sat)
(check-sat)
(pop 1)

; e2: at least 5
(push 1)
(assert (! (<= (+ (ite (< 0 d1 5) 1 0) (ite (< 0 d2 5) 1 0) (ite (< 0 e1 5) 1 0) (ite (< 0 d3 5) 1 0) (ite (< 0 e2 5) 1 0) (ite (< 0 d4 5) 1 0) (ite (< 0 f1 5) 1 0) (ite (< 0 e3 5) 1 0) (ite (< 0 d5 5) 1 0) (ite (< 0 f2 5) 1 0) (ite (< 0 e4 5) 1 0) (ite (< 0 d6 5) 1 0) (ite (< 0 g1 5) 1 0) (ite (< 0 f3 5) 1 0) (ite (< 0 e5 5) 1 0) (ite (< 0 g2 5) 1 0) (ite (< 0 f4 5) 1 0) (ite (< 0 e6 5) 1 0) (ite (< 0 h1 5) 1 0) (ite (< 0 g3 5) 1 0) (ite (< 0 f5 5) 1 0) (ite (< 0 h2 5) 1 0) (ite (< 0 g4 5) 1 0) (ite (< 0 i1 5) 1 0) (ite (< 0 h3 5) 1 0) (ite (< 0 i2 5) 1 0) (ite (< 0 j1 5) 1 0)) 4) :named |SET06 between 0 and 5|))
(assert (< e2 5))
(set-info :status unsat)
(check-sat)
(pop 1)

; e2 can be 5
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 4) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 6) (= e4 12) (= f4 17) (= g4 28) (= d5 7) (= e5 15) (= f5 27) (= d6 8) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; e2: at most 31
(push 1)
(assert (! (<= (+ (ite (< 31 d1 51) 1 0) (ite (< 31 d2 51) 1 0) (ite (< 31 e1 51) 1 0) (ite (< 31 d3 51) 1 0) (ite (< 31 e2 51) 1 0) (ite (< 31 d4 51) 1 0) (ite (< 31 f1 51) 1 0) (ite (< 31 e3 51) 1 0) (ite (< 31 d5 51) 1 0) (ite (< 31 f2 51) 1 0) (ite (< 31 e4 51) 1 0) (ite (< 31 d6 51) 1 0) (ite (< 31 g1 51) 1 0) (ite (< 31 f3 51) 1 0) (ite (< 31 e5 51) 1 0) (ite (< 31 g2 51) 1 0) (ite (< 31 f4 51) 1 0) (ite (< 31 e6 51) 1 0) (ite (< 31 h1 51) 1 0) (ite (< 31 g3 51) 1 0) (ite (< 31 f5 51) 1 0) (ite (< 31 h2 51) 1 0) (ite (< 31 g4 51) 1 0) (ite (< 31 i1 51) 1 0) (ite (< 31 h3 51) 1 0) (ite (< 31 i2 51) 1 0) (ite (< 31 j1 51) 1 0)) 19) :named |SET06 between 31 and 51|))
(assert (> e2 31))
(set-info :status unsat)
(check-sat)
(pop 1)

; e2 can be 31
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 32) (= g1 36) (= h1 42) (= i1 47) (= j1 50) (= d2 2) (= e2 31) (= f2 34) (= g2 39) (= h2 45) (= i2 49) (= d3 3) (= e3 33) (= f3 37) (= g3 43) (= h3 48) (= d4 4) (= e4 35) (= f4 40) (= g4 46) (= d5 5) (= e5 38) (= f5 44) (= d6 6) (= e6 41)))
(set-info :status sat)
(check-sat)
(pop 1)

; d4: at least 4
(push 1)
(assert (! (<= (+ (ite (< 0 d1 4) 1 0) (ite (< 0 d2 4) 1 0) (ite (< 0 e1 4) 1 0) (ite (< 0 d3 4) 1 0) (ite (< 0 e2 4) 1 0) (ite (< 0 d4 4) 1 0) (ite (< 0 f1 4) 1 0) (ite (< 0 e3 4) 1 0) (ite (< 0 d5 4) 1 0) (ite (< 0 f2 4) 1 0) (ite (< 0 e4 4) 1 0) (ite (< 0 d6 4) 1 0) (ite (< 0 g1 4) 1 0) (ite (< 0 f3 4) 1 0) (ite (< 0 e5 4) 1 0) (ite (< 0 g2 4) 1 0) (ite (< 0 f4 4) 1 0) (ite (< 0 e6 4) 1 0) (ite (< 0 h1 4) 1 0) (ite (< 0 g3 4) 1 0) (ite (< 0 f5 4) 1 0) (ite (< 0 h2 4) 1 0) (ite (< 0 g4 4) 1 0) (ite (< 0 i1 4) 1 0) (ite (< 0 h3 4) 1 0) (ite (< 0 i2 4) 1 0) (ite (< 0 j1 4) 1 0)) 3) :named |SET06 between 0 and 4|))
(assert (< d4 4))
(set-info :status unsat)
(check-sat)
(pop 1)

; d4 can be 4
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; d4: at most 22
(push 1)
(assert (! (<= (+ (ite (< 22 d1 25) 1 0) (ite (< 22 d2 25) 1 0) (ite (< 22 e1 25) 1 0) (ite (< 22 d3 25) 1 0) (ite (< 22 e2 25) 1 0) (ite (< 22 d4 25) 1 0) (ite (< 22 f1 25) 1 0) (ite (< 22 e3 25) 1 0) (ite (< 22 d5 25) 1 0) (ite (< 22 f2 25) 1 0) (ite (< 22 e4 25) 1 0) (ite (< 22 d6 25) 1 0) (ite (< 22 g1 25) 1 0) (ite (< 22 f3 25) 1 0) (ite (< 22 e5 25) 1 0) (ite (< 22 g2 25) 1 0) (ite (< 22 f4 25) 1 0) (ite (< 22 e6 25) 1 0) (ite (< 22 h1 25) 1 0) (ite (< 22 g3 25) 1 0) (ite (< 22 f5 25) 1 0) (ite (< 22 h2 25) 1 0) (ite (< 22 g4 25) 1 0) (ite (< 22 i1 25) 1 0) (ite (< 22 h3 25) 1 0) (ite (< 22 i2 25) 1 0) (ite (< 22 j1 25) 1 0)) 2) :named |SET06 between 22 and 25|))
(assert (> d4 22))
(set-info :status unsat)
(check-sat)
(pop 1)

; d4 can be 22
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 4) (= f1 6) (= g1 28) (= h1 34) (= i1 39) (= j1 42) (= d2 2) (= e2 5) (= f2 26) (= g2 31) (= h2 37) (= i2 41) (= d3 3) (= e3 25) (= f3 29) (= g3 35) (= h3 40) (= d4 22) (= e4 27) (= f4 32) (= g4 38) (= d5 23) (= e5 30) (= f5 36) (= d6 24) (= e6 33)))
(set-info :status sat)
(check-sat)
(pop 1)

; f1: at least 6
(push 1)
(assert (! (<= (+ (ite (< 0 d1 6) 1 0) (ite (< 0 d2 6) 1 0) (ite (< 0 e1 6) 1 0) (ite (< 0 d3 6) 1 0) (ite (< 0 e2 6) 1 0) (ite (< 0 d4 6) 1 0) (ite (< 0 f1 6) 1 0) (ite (< 0 e3 6) 1 0) (ite (< 0 d5 6) 1 0) (ite (< 0 f2 6) 1 0) (ite (< 0 e4 6) 1 0) (ite (< 0 d6 6) 1 0) (ite (< 0 g1 6) 1 0) (ite (< 0 f3 6) 1 0) (ite (< 0 e5 6) 1 0) (ite (< 0 g2 6) 1 0) (ite (< 0 f4 6) 1 0) (ite (< 0 e6 6) 1 0) (ite (< 0 h1 6) 1 0) (ite (< 0 g3 6) 1 0) (ite (< 0 f5 6) 1 0) (ite (< 0 h2 6) 1 0) (ite (< 0 g4 6) 1 0) (ite (< 0 i1 6) 1 0) (ite (< 0 h3 6) 1 0) (ite (< 0 i2 6) 1 0) (ite (< 0 j1 6) 1 0)) 5) :named |SET06 between 0 and 6|))
(assert (< f1 6))
(set-info :status unsat)
(check-sat)
(pop 1)

; f1 can be 6
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 6) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 4) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 7) (= e4 12) (= f4 17) (= g4 28) (= d5 8) (= e5 15) (= f5 27) (= d6 9) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; f1: at most 36
(push 1)
(assert (! (<= (+ (ite (< 36 d1 51) 1 0) (ite (< 36 d2 51) 1 0) (ite (< 36 e1 51) 1 0) (ite (< 36 d3 51) 1 0) (ite (< 36 e2 51) 1 0) (ite (< 36 d4 51) 1 0) (ite (< 36 f1 51) 1 0) (ite (< 36 e3 51) 1 0) (ite (< 36 d5 51) 1 0) (ite (< 36 f2 51) 1 0) (ite (< 36 e4 51) 1 0) (ite (< 36 d6 51) 1 0) (ite (< 36 g1 51) 1 0) (ite (< 36 f3 51) 1 0) (ite (< 36 e5 51) 1 0) (ite (< 36 g2 51) 1 0) (ite (< 36 f4 51) 1 0) (ite (< 36 e6 51) 1 0) (ite (< 36 h1 51) 1 0) (ite (< 36 g3 51) 1 0) (ite (< 36 f5 51) 1 0) (ite (< 36 h2 51) 1 0) (ite (< 36 g4 51) 1 0) (ite (< 36 i1 51) 1 0) (ite (< 36 h3 51) 1 0) (ite (< 36 i2 51) 1 0) (ite (< 36 j1 51) 1 0)) 14) :named |SET06 between 36 and 51|))
(assert (> f1 36))
(set-info :status unsat)
(check-sat)
(pop 1)

; f1 can be 36
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 36) (= g1 38) (= h1 42) (= i1 47) (= j1 50) (= d2 2) (= e2 8) (= f2 37) (= g2 40) (= h2 45) (= i2 49) (= d3 3) (= e3 9) (= f3 39) (= g3 43) (= h3 48) (= d4 4) (= e4 10) (= f4 41) (= g4 46) (= d5 5) (= e5 11) (= f5 44) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; e3: at least 7
(push 1)
(assert (! (<= (+ (ite (< 0 d1 7) 1 0) (ite (< 0 d2 7) 1 0) (ite (< 0 e1 7) 1 0) (ite (< 0 d3 7) 1 0) (ite (< 0 e2 7) 1 0) (ite (< 0 d4 7) 1 0) (ite (< 0 f1 7) 1 0) (ite (< 0 e3 7) 1 0) (ite (< 0 d5 7) 1 0) (ite (< 0 f2 7) 1 0) (ite (< 0 e4 7) 1 0) (ite (< 0 d6 7) 1 0) (ite (< 0 g1 7) 1 0) (ite (< 0 f3 7) 1 0) (ite (< 0 e5 7) 1 0) (ite (< 0 g2 7) 1 0) (ite (< 0 f4 7) 1 0) (ite (< 0 e6 7) 1 0) (ite (< 0 h1 7) 1 0) (ite (< 0 g3 7) 1 0) (ite (< 0 f5 7) 1 0) (ite (< 0 h2 7) 1 0) (ite (< 0 g4 7) 1 0) (ite (< 0 i1 7) 1 0) (ite (< 0 h3 7) 1 0) (ite (< 0 i2 7) 1 0) (ite (< 0 j1 7) 1 0)) 6) :named |SET06 between 0 and 7|))
(assert (< e3 7))
(set-info :status unsat)
(check-sat)
(pop 1)

; e3 can be 7
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 10) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 4) (= e3 7) (= f3 14) (= g3 19) (= h3 29) (= d4 6) (= e4 12) (= f4 17) (= g4 28) (= d5 8) (= e5 15) (= f5 27) (= d6 9) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; e3: at most 33
(push 1)
(assert (! (<= (+ (ite (< 33 d1 51) 1 0) (ite (< 33 d2 51) 1 0) (ite (< 33 e1 51) 1 0) (ite (< 33 d3 51) 1 0) (ite (< 33 e2 51) 1 0) (ite (< 33 d4 51) 1 0) (ite (< 33 f1 51) 1 0) (ite (< 33 e3 51) 1 0) (ite (< 33 d5 51) 1 0) (ite (< 33 f2 51) 1 0) (ite (< 33 e4 51) 1 0) (ite (< 33 d6 51) 1 0) (ite (< 33 g1 51) 1 0) (ite (< 33 f3 51) 1 0) (ite (< 33 e5 51) 1 0) (ite (< 33 g2 51) 1 0) (ite (< 33 f4 51) 1 0) (ite (< 33 e6 51) 1 0) (ite (< 33 h1 51) 1 0) (ite (< 33 g3 51) 1 0) (ite (< 33 f5 51) 1 0) (ite (< 33 h2 51) 1 0) (ite (< 33 g4 51) 1 0) (ite (< 33 i1 51) 1 0) (ite (< 33 h3 51) 1 0) (ite (< 33 i2 51) 1 0) (ite (< 33 j1 51) 1 0)) 17) :named |SET06 between 33 and 51|))
(assert (> e3 33))
(set-info :status unsat)
(check-sat)
(pop 1)

; e3 can be 33
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 36) (= h1 42) (= i1 47) (= j1 50) (= d2 2) (= e2 8) (= f2 34) (= g2 39) (= h2 45) (= i2 49) (= d3 3) (= e3 33) (= f3 37) (= g3 43) (= h3 48) (= d4 4) (= e4 35) (= f4 40) (= g4 46) (= d5 5) (= e5 38) (= f5 44) (= d6 6) (= e6 41)))
(set-info :status sat)
(check-sat)
(pop 1)

; d5: at least 5
(push 1)
(assert (! (<= (+ (ite (< 0 d1 5) 1 0) (ite (< 0 d2 5) 1 0) (ite (< 0 e1 5) 1 0) (ite (< 0 d3 5) 1 0) (ite (< 0 e2 5) 1 0) (ite (< 0 d4 5) 1 0) (ite (< 0 f1 5) 1 0) (ite (< 0 e3 5) 1 0) (ite (< 0 d5 5) 1 0) (ite (< 0 f2 5) 1 0) (ite (< 0 e4 5) 1 0) (ite (< 0 d6 5) 1 0) (ite (< 0 g1 5) 1 0) (ite (< 0 f3 5) 1 0) (ite (< 0 e5 5) 1 0) (ite (< 0 g2 5) 1 0) (ite (< 0 f4 5) 1 0) (ite (< 0 e6 5) 1 0) (ite (< 0 h1 5) 1 0) (ite (< 0 g3 5) 1 0) (ite (< 0 f5 5) 1 0) (ite (< 0 h2 5) 1 0) (ite (< 0 g4 5) 1 0) (ite (< 0 i1 5) 1 0) (ite (< 0 h3 5) 1 0) (ite (< 0 i2 5) 1 0) (ite (< 0 j1 5) 1 0)) 4) :named |SET06 between 0 and 5|))
(assert (< d5 5))
(set-info :status unsat)
(check-sat)
(pop 1)

; d5 can be 5
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; d5: at most 23
(push 1)
(assert (! (<= (+ (ite (< 23 d1 25) 1 0) (ite (< 23 d2 25) 1 0) (ite (< 23 e1 25) 1 0) (ite (< 23 d3 25) 1 0) (ite (< 23 e2 25) 1 0) (ite (< 23 d4 25) 1 0) (ite (< 23 f1 25) 1 0) (ite (< 23 e3 25) 1 0) (ite (< 23 d5 25) 1 0) (ite (< 23 f2 25) 1 0) (ite (< 23 e4 25) 1 0) (ite (< 23 d6 25) 1 0) (ite (< 23 g1 25) 1 0) (ite (< 23 f3 25) 1 0) (ite (< 23 e5 25) 1 0) (ite (< 23 g2 25) 1 0) (ite (< 23 f4 25) 1 0) (ite (< 23 e6 25) 1 0) (ite (< 23 h1 25) 1 0) (ite (< 23 g3 25) 1 0) (ite (< 23 f5 25) 1 0) (ite (< 23 h2 25) 1 0) (ite (< 23 g4 25) 1 0) (ite (< 23 i1 25) 1 0) (ite (< 23 h3 25) 1 0) (ite (< 23 i2 25) 1 0) (ite (< 23 j1 25) 1 0)) 1) :named |SET06 between 23 and 25|))
(assert (> d5 23))
(set-info :status unsat)
(check-sat)
(pop 1)

; d5 can be 23
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 5) (= f1 7) (= g1 10) (= h1 31) (= i1 36) (= j1 39) (= d2 2) (= e2 6) (= f2 9) (= g2 28) (= h2 34) (= i2 38) (= d3 3) (= e3 8) (= f3 26) (= g3 32) (= h3 37) (= d4 4) (= e4 25) (= f4 29) (= g4 35) (= d5 23) (= e5 27) (= f5 33) (= d6 24) (= e6 30)))
(set-info :status sat)
(check-sat)
(pop 1)

; f2: at least 9
(push 1)
(assert (! (<= (+ (ite (< 0 d1 9) 1 0) (ite (< 0 d2 9) 1 0) (ite (< 0 e1 9) 1 0) (ite (< 0 d3 9) 1 0) (ite (< 0 e2 9) 1 0) (ite (< 0 d4 9) 1 0) (ite (< 0 f1 9) 1 0) (ite (< 0 e3 9) 1 0) (ite (< 0 d5 9) 1 0) (ite (< 0 f2 9) 1 0) (ite (< 0 e4 9) 1 0) (ite (< 0 d6 9) 1 0) (ite (< 0 g1 9) 1 0) (ite (< 0 f3 9) 1 0) (ite (< 0 e5 9) 1 0) (ite (< 0 g2 9) 1 0) (ite (< 0 f4 9) 1 0) (ite (< 0 e6 9) 1 0) (ite (< 0 h1 9) 1 0) (ite (< 0 g3 9) 1 0) (ite (< 0 f5 9) 1 0) (ite (< 0 h2 9) 1 0) (ite (< 0 g4 9) 1 0) (ite (< 0 i1 9) 1 0) (ite (< 0 h3 9) 1 0) (ite (< 0 i2 9) 1 0) (ite (< 0 j1 9) 1 0)) 8) :named |SET06 between 0 and 9|))
(assert (< f2 9))
(set-info :status unsat)
(check-sat)
(pop 1)

; f2 can be 9
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 7) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 9) (= g2 16) (= h2 20) (= i2 30) (= d3 4) (= e3 8) (= f3 14) (= g3 19) (= h3 29) (= d4 6) (= e4 12) (= f4 17) (= g4 28) (= d5 10) (= e5 15) (= f5 27) (= d6 11) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; f2: at most 37
(push 1)
(assert (! (<= (+ (ite (< 37 d1 51) 1 0) (ite (< 37 d2 51) 1 0) (ite (< 37 e1 51) 1 0) (ite (< 37 d3 51) 1 0) (ite (< 37 e2 51) 1 0) (ite (< 37 d4 51) 1 0) (ite (< 37 f1 51) 1 0) (ite (< 37 e3 51) 1 0) (ite (< 37 d5 51) 1 0) (ite (< 37 f2 51) 1 0) (ite (< 37 e4 51) 1 0) (ite (< 37 d6 51) 1 0) (ite (< 37 g1 51) 1 0) (ite (< 37 f3 51) 1 0) (ite (< 37 e5 51) 1 0) (ite (< 37 g2 51) 1 0) (ite (< 37 f4 51) 1 0) (ite (< 37 e6 51) 1 0) (ite (< 37 h1 51) 1 0) (ite (< 37 g3 51) 1 0) (ite (< 37 f5 51) 1 0) (ite (< 37 h2 51) 1 0) (ite (< 37 g4 51) 1 0) (ite (< 37 i1 51) 1 0) (ite (< 37 h3 51) 1 0) (ite (< 37 i2 51) 1 0) (ite (< 37 j1 51) 1 0)) 13) :named |SET06 between 37 and 51|))
(assert (> f2 37))
(set-info :status unsat)
(check-sat)
(pop 1)

; f2 can be 37
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 38) (= h1 42) (= i1 47) (= j1 50) (= d2 2) (= e2 8) (= f2 37) (= g2 40) (= h2 45) (= i2 49) (= d3 3) (= e3 10) (= f3 39) (= g3 43) (= h3 48) (= d4 4) (= e4 11) (= f4 41) (= g4 46) (= d5 5) (= e5 12) (= f5 44) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; e4: at least 9
(push 1)
(assert (! (<= (+ (ite (< 0 d1 9) 1 0) (ite (< 0 d2 9) 1 0) (ite (< 0 e1 9) 1 0) (ite (< 0 d3 9) 1 0) (ite (< 0 e2 9) 1 0) (ite (< 0 d4 9) 1 0) (ite (< 0 f1 9) 1 0) (ite (< 0 e3 9) 1 0) (ite (< 0 d5 9) 1 0) (ite (< 0 f2 9) 1 0) (ite (< 0 e4 9) 1 0) (ite (< 0 d6 9) 1 0) (ite (< 0 g1 9) 1 0) (ite (< 0 f3 9) 1 0) (ite (< 0 e5 9) 1 0) (ite (< 0 g2 9) 1 0) (ite (< 0 f4 9) 1 0) (ite (< 0 e6 9) 1 0) (ite (< 0 h1 9) 1 0) (ite (< 0 g3 9) 1 0) (ite (< 0 f5 9) 1 0) (ite (< 0 h2 9) 1 0) (ite (< 0 g4 9) 1 0) (ite (< 0 i1 9) 1 0) (ite (< 0 h3 9) 1 0) (ite (< 0 i2 9) 1 0) (ite (< 0 j1 9) 1 0)) 8) :named |SET06 between 0 and 9|))
(assert (< e4 9))
(set-info :status unsat)
(check-sat)
(pop 1)

; e4 can be 9
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 11) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 12) (= g2 16) (= h2 20) (= i2 30) (= d3 4) (= e3 7) (= f3 14) (= g3 19) (= h3 29) (= d4 6) (= e4 9) (= f4 17) (= g4 28) (= d5 8) (= e5 15) (= f5 27) (= d6 10) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; e4: at most 36
(push 1)
(assert (! (<= (+ (ite (< 36 d1 51) 1 0) (ite (< 36 d2 51) 1 0) (ite (< 36 e1 51) 1 0) (ite (< 36 d3 51) 1 0) (ite (< 36 e2 51) 1 0) (ite (< 36 d4 51) 1 0) (ite (< 36 f1 51) 1 0) (ite (< 36 e3 51) 1 0) (ite (< 36 d5 51) 1 0) (ite (< 36 f2 51) 1 0) (ite (< 36 e4 51) 1 0) (ite (< 36 d6 51) 1 0) (ite (< 36 g1 51) 1 0) (ite (< 36 f3 51) 1 0) (ite (< 36 e5 51) 1 0) (ite (< 36 g2 51) 1 0) (ite (< 36 f4 51) 1 0) (ite (< 36 e6 51) 1 0) (ite (< 36 h1 51) 1 0) (ite (< 36 g3 51) 1 0) (ite (< 36 f5 51) 1 0) (ite (< 36 h2 51) 1 0) (ite (< 36 g4 51) 1 0) (ite (< 36 i1 51) 1 0) (ite (< 36 h3 51) 1 0) (ite (< 36 i2 51) 1 0) (ite (< 36 j1 51) 1 0)) 14) :named |SET06 between 36 and 51|))
(assert (> e4 36))
(set-info :status unsat)
(check-sat)
(pop 1)

; e4 can be 36
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 10) (= g1 12) (= h1 42) (= i1 47) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 39) (= h2 45) (= i2 49) (= d3 3) (= e3 9) (= f3 37) (= g3 43) (= h3 48) (= d4 4) (= e4 36) (= f4 40) (= g4 46) (= d5 5) (= e5 38) (= f5 44) (= d6 6) (= e6 41)))
(set-info :status sat)
(check-sat)
(pop 1)

; d6: at least 6
(push 1)
(assert (! (<= (+ (ite (< 0 d1 6) 1 0) (ite (< 0 d2 6) 1 0) (ite (< 0 e1 6) 1 0) (ite (< 0 d3 6) 1 0) (ite (< 0 e2 6) 1 0) (ite (< 0 d4 6) 1 0) (ite (< 0 f1 6) 1 0) (ite (< 0 e3 6) 1 0) (ite (< 0 d5 6) 1 0) (ite (< 0 f2 6) 1 0) (ite (< 0 e4 6) 1 0) (ite (< 0 d6 6) 1 0) (ite (< 0 g1 6) 1 0) (ite (< 0 f3 6) 1 0) (ite (< 0 e5 6) 1 0) (ite (< 0 g2 6) 1 0) (ite (< 0 f4 6) 1 0) (ite (< 0 e6 6) 1 0) (ite (< 0 h1 6) 1 0) (ite (< 0 g3 6) 1 0) (ite (< 0 f5 6) 1 0) (ite (< 0 h2 6) 1 0) (ite (< 0 g4 6) 1 0) (ite (< 0 i1 6) 1 0) (ite (< 0 h3 6) 1 0) (ite (< 0 i2 6) 1 0) (ite (< 0 j1 6) 1 0)) 5) :named |SET06 between 0 and 6|))
(assert (< d6 6))
(set-info :status unsat)
(check-sat)
(pop 1)

; d6 can be 6
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; d6: at most 24
(push 1)
(assert (! (<= (+ (ite (< 24 d1 25) 1 0) (ite (< 24 d2 25) 1 0) (ite (< 24 e1 25) 1 0) (ite (< 24 d3 25) 1 0) (ite (< 24 e2 25) 1 0) (ite (< 24 d4 25) 1 0) (ite (< 24 f1 25) 1 0) (ite (< 24 e3 25) 1 0) (ite (< 24 d5 25) 1 0) (ite (< 24 f2 25) 1 0) (ite (< 24 e4 25) 1 0) (ite (< 24 d6 25) 1 0) (ite (< 24 g1 25) 1 0) (ite (< 24 f3 25) 1 0) (ite (< 24 e5 25) 1 0) (ite (< 24 g2 25) 1 0) (ite (< 24 f4 25) 1 0) (ite (< 24 e6 25) 1 0) (ite (< 24 h1 25) 1 0) (ite (< 24 g3 25) 1 0) (ite (< 24 f5 25) 1 0) (ite (< 24 h2 25) 1 0) (ite (< 24 g4 25) 1 0) (ite (< 24 i1 25) 1 0) (ite (< 24 h3 25) 1 0) (ite (< 24 i2 25) 1 0) (ite (< 24 j1 25) 1 0)) 0) :named |SET06 between 24 and 25|))
(assert (> d6 24))
(set-info :status unsat)
(check-sat)
(pop 1)

; d6 can be 24
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 6) (= f1 8) (= g1 12) (= h1 15) (= i1 32) (= j1 35) (= d2 2) (= e2 7) (= f2 10) (= g2 14) (= h2 30) (= i2 34) (= d3 3) (= e3 9) (= f3 13) (= g3 28) (= h3 33) (= d4 4) (= e4 11) (= f4 26) (= g4 31) (= d5 5) (= e5 25) (= f5 29) (= d6 24) (= e6 27)))
(set-info :status sat)
(check-sat)
(pop 1)

; g1: at least 10
(push 1)
(assert (! (<= (+ (ite (< 0 d1 10) 1 0) (ite (< 0 d2 10) 1 0) (ite (< 0 e1 10) 1 0) (ite (< 0 d3 10) 1 0) (ite (< 0 e2 10) 1 0) (ite (< 0 d4 10) 1 0) (ite (< 0 f1 10) 1 0) (ite (< 0 e3 10) 1 0) (ite (< 0 d5 10) 1 0) (ite (< 0 f2 10) 1 0) (ite (< 0 e4 10) 1 0) (ite (< 0 d6 10) 1 0) (ite (< 0 g1 10) 1 0) (ite (< 0 f3 10) 1 0) (ite (< 0 e5 10) 1 0) (ite (< 0 g2 10) 1 0) (ite (< 0 f4 10) 1 0) (ite (< 0 e6 10) 1 0) (ite (< 0 h1 10) 1 0) (ite (< 0 g3 10) 1 0) (ite (< 0 f5 10) 1 0) (ite (< 0 h2 10) 1 0) (ite (< 0 g4 10) 1 0) (ite (< 0 i1 10) 1 0) (ite (< 0 h3 10) 1 0) (ite (< 0 i2 10) 1 0) (ite (< 0 j1 10) 1 0)) 9) :named |SET06 between 0 and 10|))
(assert (< g1 10))
(set-info :status unsat)
(check-sat)
(pop 1)

; g1 can be 10
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 7) (= g1 10) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 9) (= g2 16) (= h2 20) (= i2 30) (= d3 4) (= e3 8) (= f3 14) (= g3 19) (= h3 29) (= d4 6) (= e4 13) (= f4 17) (= g4 28) (= d5 11) (= e5 15) (= f5 27) (= d6 12) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; g1: at most 41
(push 1)
(assert (! (<= (+ (ite (< 41 d1 51) 1 0) (ite (< 41 d2 51) 1 0) (ite (< 41 e1 51) 1 0) (ite (< 41 d3 51) 1 0) (ite (< 41 e2 51) 1 0) (ite (< 41 d4 51) 1 0) (ite (< 41 f1 51) 1 0) (ite (< 41 e3 51) 1 0) (ite (< 41 d5 51) 1 0) (ite (< 41 f2 51) 1 0) (ite (< 41 e4 51) 1 0) (ite (< 41 d6 51) 1 0) (ite (< 41 g1 51) 1 0) (ite (< 41 f3 51) 1 0) (ite (< 41 e5 51) 1 0) (ite (< 41 g2 51) 1 0) (ite (< 41 f4 51) 1 0) (ite (< 41 e6 51) 1 0) (ite (< 41 h1 51) 1 0) (ite (< 41 g3 51) 1 0) (ite (< 41 f5 51) 1 0) (ite (< 41 h2 51) 1 0) (ite (< 41 g4 51) 1 0) (ite (< 41 i1 51) 1 0) (ite (< 41 h3 51) 1 0) (ite (< 41 i2 51) 1 0) (ite (< 41 j1 51) 1 0)) 9) :named |SET06 between 41 and 51|))
(assert (> g1 41))
(set-info :status unsat)
(check-sat)
(pop 1)

; g1 can be 41
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 41) (= h1 43) (= i1 47) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 42) (= h2 45) (= i2 49) (= d3 3) (= e3 10) (= f3 13) (= g3 44) (= h3 48) (= d4 4) (= e4 12) (= f4 15) (= g4 46) (= d5 5) (= e5 14) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; f3: at least 12
(push 1)
(assert (! (<= (+ (ite (< 0 d1 12) 1 0) (ite (< 0 d2 12) 1 0) (ite (< 0 e1 12) 1 0) (ite (< 0 d3 12) 1 0) (ite (< 0 e2 12) 1 0) (ite (< 0 d4 12) 1 0) (ite (< 0 f1 12) 1 0) (ite (< 0 e3 12) 1 0) (ite (< 0 d5 12) 1 0) (ite (< 0 f2 12) 1 0) (ite (< 0 e4 12) 1 0) (ite (< 0 d6 12) 1 0) (ite (< 0 g1 12) 1 0) (ite (< 0 f3 12) 1 0) (ite (< 0 e5 12) 1 0) (ite (< 0 g2 12) 1 0) (ite (< 0 f4 12) 1 0) (ite (< 0 e6 12) 1 0) (ite (< 0 h1 12) 1 0) (ite (< 0 g3 12) 1 0) (ite (< 0 f5 12) 1 0) (ite (< 0 h2 12) 1 0) (ite (< 0 g4 12) 1 0) (ite (< 0 i1 12) 1 0) (ite (< 0 h3 12) 1 0) (ite (< 0 i2 12) 1 0) (ite (< 0 j1 12) 1 0)) 11) :named |SET06 between 0 and 12|))
(assert (< f3 12))
(set-info :status unsat)
(check-sat)
(pop 1)

; f3 can be 12
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 7) (= g1 14) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 10) (= g2 16) (= h2 20) (= i2 30) (= d3 4) (= e3 8) (= f3 12) (= g3 19) (= h3 29) (= d4 6) (= e4 11) (= f4 17) (= g4 28) (= d5 9) (= e5 15) (= f5 27) (= d6 13) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; f3: at most 39
(push 1)
(assert (! (<= (+ (ite (< 39 d1 51) 1 0) (ite (< 39 d2 51) 1 0) (ite (< 39 e1 51) 1 0) (ite (< 39 d3 51) 1 0) (ite (< 39 e2 51) 1 0) (ite (< 39 d4 51) 1 0) (ite (< 39 f1 51) 1 0) (ite (< 39 e3 51) 1 0) (ite (< 39 d5 51) 1 0) (ite (< 39 f2 51) 1 0) (ite (< 39 e4 51) 1 0) (ite (< 39 d6 51) 1 0) (ite (< 39 g1 51) 1 0) (ite (< 39 f3 51) 1 0) (ite (< 39 e5 51) 1 0) (ite (< 39 g2 51) 1 0) (ite (< 39 f4 51) 1 0) (ite (< 39 e6 51) 1 0) (ite (< 39 h1 51) 1 0) (ite (< 39 g3 51) 1 0) (ite (< 39 f5 51) 1 0) (ite (< 39 h2 51) 1 0) (ite (< 39 g4 51) 1 0) (ite (< 39 i1 51) 1 0) (ite (< 39 h3 51) 1 0) (ite (< 39 i2 51) 1 0) (ite (< 39 j1 51) 1 0)) 11) :named |SET06 between 39 and 51|))
(assert (> f3 39))
(set-info :status unsat)
(check-sat)
(pop 1)

; f3 can be 39
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 42) (= i1 47) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 40) (= h2 45) (= i2 49) (= d3 3) (= e3 10) (= f3 39) (= g3 43) (= h3 48) (= d4 4) (= e4 12) (= f4 41) (= g4 46) (= d5 5) (= e5 14) (= f5 44) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; e5: at least 11
(push 1)
(assert (! (<= (+ (ite (< 0 d1 11) 1 0) (ite (< 0 d2 11) 1 0) (ite (< 0 e1 11) 1 0) (ite (< 0 d3 11) 1 0) (ite (< 0 e2 11) 1 0) (ite (< 0 d4 11) 1 0) (ite (< 0 f1 11) 1 0) (ite (< 0 e3 11) 1 0) (ite (< 0 d5 11) 1 0) (ite (< 0 f2 11) 1 0) (ite (< 0 e4 11) 1 0) (ite (< 0 d6 11) 1 0) (ite (< 0 g1 11) 1 0) (ite (< 0 f3 11) 1 0) (ite (< 0 e5 11) 1 0) (ite (< 0 g2 11) 1 0) (ite (< 0 f4 11) 1 0) (ite (< 0 e6 11) 1 0) (ite (< 0 h1 11) 1 0) (ite (< 0 g3 11) 1 0) (ite (< 0 f5 11) 1 0) (ite (< 0 h2 11) 1 0) (ite (< 0 g4 11) 1 0) (ite (< 0 i1 11) 1 0) (ite (< 0 h3 11) 1 0) (ite (< 0 i2 11) 1 0) (ite (< 0 j1 11) 1 0)) 10) :named |SET06 between 0 and 11|))
(assert (< e5 11))
(set-info :status unsat)
(check-sat)
(pop 1)

; e5 can be 11
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 12) (= g1 14) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 13) (= g2 16) (= h2 20) (= i2 30) (= d3 4) (= e3 7) (= f3 15) (= g3 19) (= h3 29) (= d4 6) (= e4 9) (= f4 17) (= g4 28) (= d5 8) (= e5 11) (= f5 27) (= d6 10) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; e5: at most 40
(push 1)
(assert (! (<= (+ (ite (< 40 d1 51) 1 0) (ite (< 40 d2 51) 1 0) (ite (< 40 e1 51) 1 0) (ite (< 40 d3 51) 1 0) (ite (< 40 e2 51) 1 0) (ite (< 40 d4 51) 1 0) (ite (< 40 f1 51) 1 0) (ite (< 40 e3 51) 1 0) (ite (< 40 d5 51) 1 0) (ite (< 40 f2 51) 1 0) (ite (< 40 e4 51) 1 0) (ite (< 40 d6 51) 1 0) (ite (< 40 g1 51) 1 0) (ite (< 40 f3 51) 1 0) (ite (< 40 e5 51) 1 0) (ite (< 40 g2 51) 1 0) (ite (< 40 f4 51) 1 0) (ite (< 40 e6 51) 1 0) (ite (< 40 h1 51) 1 0) (ite (< 40 g3 51) 1 0) (ite (< 40 f5 51) 1 0) (ite (< 40 h2 51) 1 0) (ite (< 40 g4 51) 1 0) (ite (< 40 i1 51) 1 0) (ite (< 40 h3 51) 1 0) (ite (< 40 i2 51) 1 0) (ite (< 40 j1 51) 1 0)) 10) :named |SET06 between 40 and 51|))
(assert (> e5 40))
(set-info :status unsat)
(check-sat)
(pop 1)

; e5 can be 40
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 11) (= g1 13) (= h1 16) (= i1 47) (= j1 50) (= d2 2) (= e2 8) (= f2 12) (= g2 15) (= h2 45) (= i2 49) (= d3 3) (= e3 9) (= f3 14) (= g3 43) (= h3 48) (= d4 4) (= e4 10) (= f4 41) (= g4 46) (= d5 5) (= e5 40) (= f5 44) (= d6 6) (= e6 42)))
(set-info :status sat)
(check-sat)
(pop 1)

; g2: at least 14
(push 1)
(assert (! (<= (+ (ite (< 0 d1 14) 1 0) (ite (< 0 d2 14) 1 0) (ite (< 0 e1 14) 1 0) (ite (< 0 d3 14) 1 0) (ite (< 0 e2 14) 1 0) (ite (< 0 d4 14) 1 0) (ite (< 0 f1 14) 1 0) (ite (< 0 e3 14) 1 0) (ite (< 0 d5 14) 1 0) (ite (< 0 f2 14) 1 0) (ite (< 0 e4 14) 1 0) (ite (< 0 d6 14) 1 0) (ite (< 0 g1 14) 1 0) (ite (< 0 f3 14) 1 0) (ite (< 0 e5 14) 1 0) (ite (< 0 g2 14) 1 0) (ite (< 0 f4 14) 1 0) (ite (< 0 e6 14) 1 0) (ite (< 0 h1 14) 1 0) (ite (< 0 g3 14) 1 0) (ite (< 0 f5 14) 1 0) (ite (< 0 h2 14) 1 0) (ite (< 0 g4 14) 1 0) (ite (< 0 i1 14) 1 0) (ite (< 0 h3 14) 1 0) (ite (< 0 i2 14) 1 0) (ite (< 0 j1 14) 1 0)) 13) :named |SET06 between 0 and 14|))
(assert (< g2 14))
(set-info :status unsat)
(check-sat)
(pop 1)

; g2 can be 14
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 7) (= g1 12) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 10) (= g2 14) (= h2 20) (= i2 30) (= d3 4) (= e3 8) (= f3 13) (= g3 19) (= h3 29) (= d4 6) (= e4 11) (= f4 17) (= g4 28) (= d5 9) (= e5 16) (= f5 27) (= d6 15) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; g2: at most 42
(push 1)
(assert (! (<= (+ (ite (< 42 d1 51) 1 0) (ite (< 42 d2 51) 1 0) (ite (< 42 e1 51) 1 0) (ite (< 42 d3 51) 1 0) (ite (< 42 e2 51) 1 0) (ite (< 42 d4 51) 1 0) (ite (< 42 f1 51) 1 0) (ite (< 42 e3 51) 1 0) (ite (< 42 d5 51) 1 0) (ite (< 42 f2 51) 1 0) (ite (< 42 e4 51) 1 0) (ite (< 42 d6 51) 1 0) (ite (< 42 g1 51) 1 0) (ite (< 42 f3 51) 1 0) (ite (< 42 e5 51) 1 0) (ite (< 42 g2 51) 1 0) (ite (< 42 f4 51) 1 0) (ite (< 42 e6 51) 1 0) (ite (< 42 h1 51) 1 0) (ite (< 42 g3 51) 1 0) (ite (< 42 f5 51) 1 0) (ite (< 42 h2 51) 1 0) (ite (< 42 g4 51) 1 0) (ite (< 42 i1 51) 1 0) (ite (< 42 h3 51) 1 0) (ite (< 42 i2 51) 1 0) (ite (< 42 j1 51) 1 0)) 8) :named |SET06 between 42 and 51|))
(assert (> g2 42))
(set-info :status unsat)
(check-sat)
(pop 1)

; g2 can be 42
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 43) (= i1 47) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 42) (= h2 45) (= i2 49) (= d3 3) (= e3 10) (= f3 14) (= g3 44) (= h3 48) (= d4 4) (= e4 12) (= f4 16) (= g4 46) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; f4: at least 15
(push 1)
(assert (! (<= (+ (ite (< 0 d1 15) 1 0) (ite (< 0 d2 15) 1 0) (ite (< 0 e1 15) 1 0) (ite (< 0 d3 15) 1 0) (ite (< 0 e2 15) 1 0) (ite (< 0 d4 15) 1 0) (ite (< 0 f1 15) 1 0) (ite (< 0 e3 15) 1 0) (ite (< 0 d5 15) 1 0) (ite (< 0 f2 15) 1 0) (ite (< 0 e4 15) 1 0) (ite (< 0 d6 15) 1 0) (ite (< 0 g1 15) 1 0) (ite (< 0 f3 15) 1 0) (ite (< 0 e5 15) 1 0) (ite (< 0 g2 15) 1 0) (ite (< 0 f4 15) 1 0) (ite (< 0 e6 15) 1 0) (ite (< 0 h1 15) 1 0) (ite (< 0 g3 15) 1 0) (ite (< 0 f5 15) 1 0) (ite (< 0 h2 15) 1 0) (ite (< 0 g4 15) 1 0) (ite (< 0 i1 15) 1 0) (ite (< 0 h3 15) 1 0) (ite (< 0 i2 15) 1 0) (ite (< 0 j1 15) 1 0)) 14) :named |SET06 between 0 and 15|))
(assert (< f4 15))
(set-info :status unsat)
(check-sat)
(pop 1)

; f4 can be 15
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 7) (= g1 16) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 10) (= g2 17) (= h2 20) (= i2 30) (= d3 4) (= e3 8) (= f3 13) (= g3 19) (= h3 29) (= d4 6) (= e4 11) (= f4 15) (= g4 28) (= d5 9) (= e5 14) (= f5 27) (= d6 12) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; f4: at most 42
(push 1)
(assert (! (<= (+ (ite (< 42 d1 51) 1 0) (ite (< 42 d2 51) 1 0) (ite (< 42 e1 51) 1 0) (ite (< 42 d3 51) 1 0) (ite (< 42 e2 51) 1 0) (ite (< 42 d4 51) 1 0) (ite (< 42 f1 51) 1 0) (ite (< 42 e3 51) 1 0) (ite (< 42 d5 51) 1 0) (ite (< 42 f2 51) 1 0) (ite (< 42 e4 51) 1 0) (ite (< 42 d6 51) 1 0) (ite (< 42 g1 51) 1 0) (ite (< 42 f3 51) 1 0) (ite (< 42 e5 51) 1 0) (ite (< 42 g2 51) 1 0) (ite (< 42 f4 51) 1 0) (ite (< 42 e6 51) 1 0) (ite (< 42 h1 51) 1 0) (ite (< 42 g3 51) 1 0) (ite (< 42 f5 51) 1 0) (ite (< 42 h2 51) 1 0) (ite (< 42 g4 51) 1 0) (ite (< 42 i1 51) 1 0) (ite (< 42 h3 51) 1 0) (ite (< 42 i2 51) 1 0) (ite (< 42 j1 51) 1 0)) 8) :named |SET06 between 42 and 51|))
(assert (> f4 42))
(set-info :status unsat)
(check-sat)
(pop 1)

; f4 can be 42
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 15) (= h1 17) (= i1 47) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 45) (= i2 49) (= d3 3) (= e3 10) (= f3 13) (= g3 43) (= h3 48) (= d4 4) (= e4 12) (= f4 42) (= g4 46) (= d5 5) (= e5 14) (= f5 44) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; e6: at least 26
(push 1)
(assert (! (<= (+ (ite (< 25 d1 26) 1 0) (ite (< 25 d2 26) 1 0) (ite (< 25 e1 26) 1 0) (ite (< 25 d3 26) 1 0) (ite (< 25 e2 26) 1 0) (ite (< 25 d4 26) 1 0) (ite (< 25 f1 26) 1 0) (ite (< 25 e3 26) 1 0) (ite (< 25 d5 26) 1 0) (ite (< 25 f2 26) 1 0) (ite (< 25 e4 26) 1 0) (ite (< 25 d6 26) 1 0) (ite (< 25 g1 26) 1 0) (ite (< 25 f3 26) 1 0) (ite (< 25 e5 26) 1 0) (ite (< 25 g2 26) 1 0) (ite (< 25 f4 26) 1 0) (ite (< 25 e6 26) 1 0) (ite (< 25 h1 26) 1 0) (ite (< 25 g3 26) 1 0) (ite (< 25 f5 26) 1 0) (ite (< 25 h2 26) 1 0) (ite (< 25 g4 26) 1 0) (ite (< 25 i1 26) 1 0) (ite (< 25 h3 26) 1 0) (ite (< 25 i2 26) 1 0) (ite (< 25 j1 26) 1 0)) 0) :named |SET06 between 25 and 26|))
(assert (< e6 26))
(set-info :status unsat)
(check-sat)
(pop 1)

; e6 can be 26
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 12) (= g1 14) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 13) (= g2 16) (= h2 20) (= i2 30) (= d3 3) (= e3 9) (= f3 15) (= g3 19) (= h3 29) (= d4 4) (= e4 10) (= f4 17) (= g4 28) (= d5 5) (= e5 11) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; e6: at most 45
(push 1)
(assert (! (<= (+ (ite (< 45 d1 51) 1 0) (ite (< 45 d2 51) 1 0) (ite (< 45 e1 51) 1 0) (ite (< 45 d3 51) 1 0) (ite (< 45 e2 51) 1 0) (ite (< 45 d4 51) 1 0) (ite (< 45 f1 51) 1 0) (ite (< 45 e3 51) 1 0) (ite (< 45 d5 51) 1 0) (ite (< 45 f2 51) 1 0) (ite (< 45 e4 51) 1 0) (ite (< 45 d6 51) 1 0) (ite (< 45 g1 51) 1 0) (ite (< 45 f3 51) 1 0) (ite (< 45 e5 51) 1 0) (ite (< 45 g2 51) 1 0) (ite (< 45 f4 51) 1 0) (ite (< 45 e6 51) 1 0) (ite (< 45 h1 51) 1 0) (ite (< 45 g3 51) 1 0) (ite (< 45 f5 51) 1 0) (ite (< 45 h2 51) 1 0) (ite (< 45 g4 51) 1 0) (ite (< 45 i1 51) 1 0) (ite (< 45 h3 51) 1 0) (ite (< 45 i2 51) 1 0) (ite (< 45 j1 51) 1 0)) 5) :named |SET06 between 45 and 51|))
(assert (> e6 45))
(set-info :status unsat)
(check-sat)
(pop 1)

; e6 can be 45
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 12) (= g1 14) (= h1 18) (= i1 21) (= j1 50) (= d2 2) (= e2 8) (= f2 13) (= g2 16) (= h2 20) (= i2 49) (= d3 3) (= e3 9) (= f3 15) (= g3 19) (= h3 48) (= d4 4) (= e4 10) (= f4 17) (= g4 47) (= d5 5) (= e5 11) (= f5 46) (= d6 6) (= e6 45)))
(set-info :status sat)
(check-sat)
(pop 1)

; h1: at least 15
(push 1)
(assert (! (<= (+ (ite (< 0 d1 15) 1 0) (ite (< 0 d2 15) 1 0) (ite (< 0 e1 15) 1 0) (ite (< 0 d3 15) 1 0) (ite (< 0 e2 15) 1 0) (ite (< 0 d4 15) 1 0) (ite (< 0 f1 15) 1 0) (ite (< 0 e3 15) 1 0) (ite (< 0 d5 15) 1 0) (ite (< 0 f2 15) 1 0) (ite (< 0 e4 15) 1 0) (ite (< 0 d6 15) 1 0) (ite (< 0 g1 15) 1 0) (ite (< 0 f3 15) 1 0) (ite (< 0 e5 15) 1 0) (ite (< 0 g2 15) 1 0) (ite (< 0 f4 15) 1 0) (ite (< 0 e6 15) 1 0) (ite (< 0 h1 15) 1 0) (ite (< 0 g3 15) 1 0) (ite (< 0 f5 15) 1 0) (ite (< 0 h2 15) 1 0) (ite (< 0 g4 15) 1 0) (ite (< 0 i1 15) 1 0) (ite (< 0 h3 15) 1 0) (ite (< 0 i2 15) 1 0) (ite (< 0 j1 15) 1 0)) 14) :named |SET06 between 0 and 15|))
(assert (< h1 15))
(set-info :status unsat)
(check-sat)
(pop 1)

; h1 can be 15
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 7) (= g1 12) (= h1 15) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 10) (= g2 14) (= h2 20) (= i2 30) (= d3 4) (= e3 8) (= f3 13) (= g3 19) (= h3 29) (= d4 6) (= e4 11) (= f4 18) (= g4 28) (= d5 9) (= e5 17) (= f5 27) (= d6 16) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; h1: at most 45
(push 1)
(assert (! (<= (+ (ite (< 45 d1 51) 1 0) (ite (< 45 d2 51) 1 0) (ite (< 45 e1 51) 1 0) (ite (< 45 d3 51) 1 0) (ite (< 45 e2 51) 1 0) (ite (< 45 d4 51) 1 0) (ite (< 45 f1 51) 1 0) (ite (< 45 e3 51) 1 0) (ite (< 45 d5 51) 1 0) (ite (< 45 f2 51) 1 0) (ite (< 45 e4 51) 1 0) (ite (< 45 d6 51) 1 0) (ite (< 45 g1 51) 1 0) (ite (< 45 f3 51) 1 0) (ite (< 45 e5 51) 1 0) (ite (< 45 g2 51) 1 0) (ite (< 45 f4 51) 1 0) (ite (< 45 e6 51) 1 0) (ite (< 45 h1 51) 1 0) (ite (< 45 g3 51) 1 0) (ite (< 45 f5 51) 1 0) (ite (< 45 h2 51) 1 0) (ite (< 45 g4 51) 1 0) (ite (< 45 i1 51) 1 0) (ite (< 45 h3 51) 1 0) (ite (< 45 i2 51) 1 0) (ite (< 45 j1 51) 1 0)) 5) :named |SET06 between 45 and 51|))
(assert (> h1 45))
(set-info :status unsat)
(check-sat)
(pop 1)

; h1 can be 45
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 45) (= i1 47) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 15) (= h2 46) (= i2 49) (= d3 3) (= e3 10) (= f3 14) (= g3 18) (= h3 48) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 16) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; g3: at least 18
(push 1)
(assert (! (<= (+ (ite (< 0 d1 18) 1 0) (ite (< 0 d2 18) 1 0) (ite (< 0 e1 18) 1 0) (ite (< 0 d3 18) 1 0) (ite (< 0 e2 18) 1 0) (ite (< 0 d4 18) 1 0) (ite (< 0 f1 18) 1 0) (ite (< 0 e3 18) 1 0) (ite (< 0 d5 18) 1 0) (ite (< 0 f2 18) 1 0) (ite (< 0 e4 18) 1 0) (ite (< 0 d6 18) 1 0) (ite (< 0 g1 18) 1 0) (ite (< 0 f3 18) 1 0) (ite (< 0 e5 18) 1 0) (ite (< 0 g2 18) 1 0) (ite (< 0 f4 18) 1 0) (ite (< 0 e6 18) 1 0) (ite (< 0 h1 18) 1 0) (ite (< 0 g3 18) 1 0) (ite (< 0 f5 18) 1 0) (ite (< 0 h2 18) 1 0) (ite (< 0 g4 18) 1 0) (ite (< 0 i1 18) 1 0) (ite (< 0 h3 18) 1 0) (ite (< 0 i2 18) 1 0) (ite (< 0 j1 18) 1 0)) 17) :named |SET06 between 0 and 18|))
(assert (< g3 18))
(set-info :status unsat)
(check-sat)
(pop 1)

; g3 can be 18
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 7) (= g1 13) (= h1 19) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 10) (= g2 16) (= h2 20) (= i2 30) (= d3 4) (= e3 8) (= f3 14) (= g3 18) (= h3 29) (= d4 6) (= e4 11) (= f4 17) (= g4 28) (= d5 9) (= e5 15) (= f5 27) (= d6 12) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; g3: at most 44
(push 1)
(assert (! (<= (+ (ite (< 44 d1 51) 1 0) (ite (< 44 d2 51) 1 0) (ite (< 44 e1 51) 1 0) (ite (< 44 d3 51) 1 0) (ite (< 44 e2 51) 1 0) (ite (< 44 d4 51) 1 0) (ite (< 44 f1 51) 1 0) (ite (< 44 e3 51) 1 0) (ite (< 44 d5 51) 1 0) (ite (< 44 f2 51) 1 0) (ite (< 44 e4 51) 1 0) (ite (< 44 d6 51) 1 0) (ite (< 44 g1 51) 1 0) (ite (< 44 f3 51) 1 0) (ite (< 44 e5 51) 1 0) (ite (< 44 g2 51) 1 0) (ite (< 44 f4 51) 1 0) (ite (< 44 e6 51) 1 0) (ite (< 44 h1 51) 1 0) (ite (< 44 g3 51) 1 0) (ite (< 44 f5 51) 1 0) (ite (< 44 h2 51) 1 0) (ite (< 44 g4 51) 1 0) (ite (< 44 i1 51) 1 0) (ite (< 44 h3 51) 1 0) (ite (< 44 i2 51) 1 0) (ite (< 44 j1 51) 1 0)) 6) :named |SET06 between 44 and 51|))
(assert (> g3 44))
(set-info :status unsat)
(check-sat)
(pop 1)

; g3 can be 44
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 47) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 45) (= i2 49) (= d3 3) (= e3 10) (= f3 14) (= g3 44) (= h3 48) (= d4 4) (= e4 12) (= f4 17) (= g4 46) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; f5: at least 27
(push 1)
(assert (! (<= (+ (ite (< 25 d1 27) 1 0) (ite (< 25 d2 27) 1 0) (ite (< 25 e1 27) 1 0) (ite (< 25 d3 27) 1 0) (ite (< 25 e2 27) 1 0) (ite (< 25 d4 27) 1 0) (ite (< 25 f1 27) 1 0) (ite (< 25 e3 27) 1 0) (ite (< 25 d5 27) 1 0) (ite (< 25 f2 27) 1 0) (ite (< 25 e4 27) 1 0) (ite (< 25 d6 27) 1 0) (ite (< 25 g1 27) 1 0) (ite (< 25 f3 27) 1 0) (ite (< 25 e5 27) 1 0) (ite (< 25 g2 27) 1 0) (ite (< 25 f4 27) 1 0) (ite (< 25 e6 27) 1 0) (ite (< 25 h1 27) 1 0) (ite (< 25 g3 27) 1 0) (ite (< 25 f5 27) 1 0) (ite (< 25 h2 27) 1 0) (ite (< 25 g4 27) 1 0) (ite (< 25 i1 27) 1 0) (ite (< 25 h3 27) 1 0) (ite (< 25 i2 27) 1 0) (ite (< 25 j1 27) 1 0)) 1) :named |SET06 between 25 and 27|))
(assert (< f5 27))
(set-info :status unsat)
(check-sat)
(pop 1)

; f5 can be 27
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 16) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 11) (= g2 17) (= h2 20) (= i2 30) (= d3 3) (= e3 10) (= f3 13) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 15) (= g4 28) (= d5 5) (= e5 14) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; f5: at most 46
(push 1)
(assert (! (<= (+ (ite (< 46 d1 51) 1 0) (ite (< 46 d2 51) 1 0) (ite (< 46 e1 51) 1 0) (ite (< 46 d3 51) 1 0) (ite (< 46 e2 51) 1 0) (ite (< 46 d4 51) 1 0) (ite (< 46 f1 51) 1 0) (ite (< 46 e3 51) 1 0) (ite (< 46 d5 51) 1 0) (ite (< 46 f2 51) 1 0) (ite (< 46 e4 51) 1 0) (ite (< 46 d6 51) 1 0) (ite (< 46 g1 51) 1 0) (ite (< 46 f3 51) 1 0) (ite (< 46 e5 51) 1 0) (ite (< 46 g2 51) 1 0) (ite (< 46 f4 51) 1 0) (ite (< 46 e6 51) 1 0) (ite (< 46 h1 51) 1 0) (ite (< 46 g3 51) 1 0) (ite (< 46 f5 51) 1 0) (ite (< 46 h2 51) 1 0) (ite (< 46 g4 51) 1 0) (ite (< 46 i1 51) 1 0) (ite (< 46 h3 51) 1 0) (ite (< 46 i2 51) 1 0) (ite (< 46 j1 51) 1 0)) 4) :named |SET06 between 46 and 51|))
(assert (> f5 46))
(set-info :status unsat)
(check-sat)
(pop 1)

; f5 can be 46
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 16) (= h1 18) (= i1 21) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 17) (= h2 20) (= i2 49) (= d3 3) (= e3 10) (= f3 13) (= g3 19) (= h3 48) (= d4 4) (= e4 12) (= f4 15) (= g4 47) (= d5 5) (= e5 14) (= f5 46) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; h2: at least 20
(push 1)
(assert (! (<= (+ (ite (< 0 d1 20) 1 0) (ite (< 0 d2 20) 1 0) (ite (< 0 e1 20) 1 0) (ite (< 0 d3 20) 1 0) (ite (< 0 e2 20) 1 0) (ite (< 0 d4 20) 1 0) (ite (< 0 f1 20) 1 0) (ite (< 0 e3 20) 1 0) (ite (< 0 d5 20) 1 0) (ite (< 0 f2 20) 1 0) (ite (< 0 e4 20) 1 0) (ite (< 0 d6 20) 1 0) (ite (< 0 g1 20) 1 0) (ite (< 0 f3 20) 1 0) (ite (< 0 e5 20) 1 0) (ite (< 0 g2 20) 1 0) (ite (< 0 f4 20) 1 0) (ite (< 0 e6 20) 1 0) (ite (< 0 h1 20) 1 0) (ite (< 0 g3 20) 1 0) (ite (< 0 f5 20) 1 0) (ite (< 0 h2 20) 1 0) (ite (< 0 g4 20) 1 0) (ite (< 0 i1 20) 1 0) (ite (< 0 h3 20) 1 0) (ite (< 0 i2 20) 1 0) (ite (< 0 j1 20) 1 0)) 19) :named |SET06 between 0 and 20|))
(assert (< h2 20))
(set-info :status unsat)
(check-sat)
(pop 1)

; h2 can be 20
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 7) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 10) (= g2 16) (= h2 20) (= i2 30) (= d3 4) (= e3 8) (= f3 14) (= g3 19) (= h3 29) (= d4 6) (= e4 11) (= f4 17) (= g4 28) (= d5 9) (= e5 15) (= f5 27) (= d6 12) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; h2: at most 46
(push 1)
(assert (! (<= (+ (ite (< 46 d1 51) 1 0) (ite (< 46 d2 51) 1 0) (ite (< 46 e1 51) 1 0) (ite (< 46 d3 51) 1 0) (ite (< 46 e2 51) 1 0) (ite (< 46 d4 51) 1 0) (ite (< 46 f1 51) 1 0) (ite (< 46 e3 51) 1 0) (ite (< 46 d5 51) 1 0) (ite (< 46 f2 51) 1 0) (ite (< 46 e4 51) 1 0) (ite (< 46 d6 51) 1 0) (ite (< 46 g1 51) 1 0) (ite (< 46 f3 51) 1 0) (ite (< 46 e5 51) 1 0) (ite (< 46 g2 51) 1 0) (ite (< 46 f4 51) 1 0) (ite (< 46 e6 51) 1 0) (ite (< 46 h1 51) 1 0) (ite (< 46 g3 51) 1 0) (ite (< 46 f5 51) 1 0) (ite (< 46 h2 51) 1 0) (ite (< 46 g4 51) 1 0) (ite (< 46 i1 51) 1 0) (ite (< 46 h3 51) 1 0) (ite (< 46 i2 51) 1 0) (ite (< 46 j1 51) 1 0)) 4) :named |SET06 between 46 and 51|))
(assert (> h2 46))
(set-info :status unsat)
(check-sat)
(pop 1)

; h2 can be 46
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 47) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 46) (= i2 49) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 48) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; g4: at least 28
(push 1)
(assert (! (<= (+ (ite (< 25 d1 28) 1 0) (ite (< 25 d2 28) 1 0) (ite (< 25 e1 28) 1 0) (ite (< 25 d3 28) 1 0) (ite (< 25 e2 28) 1 0) (ite (< 25 d4 28) 1 0) (ite (< 25 f1 28) 1 0) (ite (< 25 e3 28) 1 0) (ite (< 25 d5 28) 1 0) (ite (< 25 f2 28) 1 0) (ite (< 25 e4 28) 1 0) (ite (< 25 d6 28) 1 0) (ite (< 25 g1 28) 1 0) (ite (< 25 f3 28) 1 0) (ite (< 25 e5 28) 1 0) (ite (< 25 g2 28) 1 0) (ite (< 25 f4 28) 1 0) (ite (< 25 e6 28) 1 0) (ite (< 25 h1 28) 1 0) (ite (< 25 g3 28) 1 0) (ite (< 25 f5 28) 1 0) (ite (< 25 h2 28) 1 0) (ite (< 25 g4 28) 1 0) (ite (< 25 i1 28) 1 0) (ite (< 25 h3 28) 1 0) (ite (< 25 i2 28) 1 0) (ite (< 25 j1 28) 1 0)) 2) :named |SET06 between 25 and 28|))
(assert (< g4 28))
(set-info :status unsat)
(check-sat)
(pop 1)

; g4 can be 28
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 19) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 3) (= e3 10) (= f3 14) (= g3 18) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; g4: at most 47
(push 1)
(assert (! (<= (+ (ite (< 47 d1 51) 1 0) (ite (< 47 d2 51) 1 0) (ite (< 47 e1 51) 1 0) (ite (< 47 d3 51) 1 0) (ite (< 47 e2 51) 1 0) (ite (< 47 d4 51) 1 0) (ite (< 47 f1 51) 1 0) (ite (< 47 e3 51) 1 0) (ite (< 47 d5 51) 1 0) (ite (< 47 f2 51) 1 0) (ite (< 47 e4 51) 1 0) (ite (< 47 d6 51) 1 0) (ite (< 47 g1 51) 1 0) (ite (< 47 f3 51) 1 0) (ite (< 47 e5 51) 1 0) (ite (< 47 g2 51) 1 0) (ite (< 47 f4 51) 1 0) (ite (< 47 e6 51) 1 0) (ite (< 47 h1 51) 1 0) (ite (< 47 g3 51) 1 0) (ite (< 47 f5 51) 1 0) (ite (< 47 h2 51) 1 0) (ite (< 47 g4 51) 1 0) (ite (< 47 i1 51) 1 0) (ite (< 47 h3 51) 1 0) (ite (< 47 i2 51) 1 0) (ite (< 47 j1 51) 1 0)) 3) :named |SET06 between 47 and 51|))
(assert (> g4 47))
(set-info :status unsat)
(check-sat)
(pop 1)

; g4 can be 47
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 19) (= i1 21) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 49) (= d3 3) (= e3 10) (= f3 14) (= g3 18) (= h3 48) (= d4 4) (= e4 12) (= f4 17) (= g4 47) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; i1: at least 21
(push 1)
(assert (! (<= (+ (ite (< 0 d1 21) 1 0) (ite (< 0 d2 21) 1 0) (ite (< 0 e1 21) 1 0) (ite (< 0 d3 21) 1 0) (ite (< 0 e2 21) 1 0) (ite (< 0 d4 21) 1 0) (ite (< 0 f1 21) 1 0) (ite (< 0 e3 21) 1 0) (ite (< 0 d5 21) 1 0) (ite (< 0 f2 21) 1 0) (ite (< 0 e4 21) 1 0) (ite (< 0 d6 21) 1 0) (ite (< 0 g1 21) 1 0) (ite (< 0 f3 21) 1 0) (ite (< 0 e5 21) 1 0) (ite (< 0 g2 21) 1 0) (ite (< 0 f4 21) 1 0) (ite (< 0 e6 21) 1 0) (ite (< 0 h1 21) 1 0) (ite (< 0 g3 21) 1 0) (ite (< 0 f5 21) 1 0) (ite (< 0 h2 21) 1 0) (ite (< 0 g4 21) 1 0) (ite (< 0 i1 21) 1 0) (ite (< 0 h3 21) 1 0) (ite (< 0 i2 21) 1 0) (ite (< 0 j1 21) 1 0)) 20) :named |SET06 between 0 and 21|))
(assert (< i1 21))
(set-info :status unsat)
(check-sat)
(pop 1)

; i1 can be 21
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 3) (= f1 7) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 5) (= f2 10) (= g2 16) (= h2 20) (= i2 30) (= d3 4) (= e3 8) (= f3 14) (= g3 19) (= h3 29) (= d4 6) (= e4 11) (= f4 17) (= g4 28) (= d5 9) (= e5 15) (= f5 27) (= d6 12) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; i1: at most 48
(push 1)
(assert (! (<= (+ (ite (< 48 d1 51) 1 0) (ite (< 48 d2 51) 1 0) (ite (< 48 e1 51) 1 0) (ite (< 48 d3 51) 1 0) (ite (< 48 e2 51) 1 0) (ite (< 48 d4 51) 1 0) (ite (< 48 f1 51) 1 0) (ite (< 48 e3 51) 1 0) (ite (< 48 d5 51) 1 0) (ite (< 48 f2 51) 1 0) (ite (< 48 e4 51) 1 0) (ite (< 48 d6 51) 1 0) (ite (< 48 g1 51) 1 0) (ite (< 48 f3 51) 1 0) (ite (< 48 e5 51) 1 0) (ite (< 48 g2 51) 1 0) (ite (< 48 f4 51) 1 0) (ite (< 48 e6 51) 1 0) (ite (< 48 h1 51) 1 0) (ite (< 48 g3 51) 1 0) (ite (< 48 f5 51) 1 0) (ite (< 48 h2 51) 1 0) (ite (< 48 g4 51) 1 0) (ite (< 48 i1 51) 1 0) (ite (< 48 h3 51) 1 0) (ite (< 48 i2 51) 1 0) (ite (< 48 j1 51) 1 0)) 2) :named |SET06 between 48 and 51|))
(assert (> i1 48))
(set-info :status unsat)
(check-sat)
(pop 1)

; i1 can be 48
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 48) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 49) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; h3: at least 29
(push 1)
(assert (! (<= (+ (ite (< 25 d1 29) 1 0) (ite (< 25 d2 29) 1 0) (ite (< 25 e1 29) 1 0) (ite (< 25 d3 29) 1 0) (ite (< 25 e2 29) 1 0) (ite (< 25 d4 29) 1 0) (ite (< 25 f1 29) 1 0) (ite (< 25 e3 29) 1 0) (ite (< 25 d5 29) 1 0) (ite (< 25 f2 29) 1 0) (ite (< 25 e4 29) 1 0) (ite (< 25 d6 29) 1 0) (ite (< 25 g1 29) 1 0) (ite (< 25 f3 29) 1 0) (ite (< 25 e5 29) 1 0) (ite (< 25 g2 29) 1 0) (ite (< 25 f4 29) 1 0) (ite (< 25 e6 29) 1 0) (ite (< 25 h1 29) 1 0) (ite (< 25 g3 29) 1 0) (ite (< 25 f5 29) 1 0) (ite (< 25 h2 29) 1 0) (ite (< 25 g4 29) 1 0) (ite (< 25 i1 29) 1 0) (ite (< 25 h3 29) 1 0) (ite (< 25 i2 29) 1 0) (ite (< 25 j1 29) 1 0)) 3) :named |SET06 between 25 and 29|))
(assert (< h3 29))
(set-info :status unsat)
(check-sat)
(pop 1)

; h3 can be 29
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; h3: at most 48
(push 1)
(assert (! (<= (+ (ite (< 48 d1 51) 1 0) (ite (< 48 d2 51) 1 0) (ite (< 48 e1 51) 1 0) (ite (< 48 d3 51) 1 0) (ite (< 48 e2 51) 1 0) (ite (< 48 d4 51) 1 0) (ite (< 48 f1 51) 1 0) (ite (< 48 e3 51) 1 0) (ite (< 48 d5 51) 1 0) (ite (< 48 f2 51) 1 0) (ite (< 48 e4 51) 1 0) (ite (< 48 d6 51) 1 0) (ite (< 48 g1 51) 1 0) (ite (< 48 f3 51) 1 0) (ite (< 48 e5 51) 1 0) (ite (< 48 g2 51) 1 0) (ite (< 48 f4 51) 1 0) (ite (< 48 e6 51) 1 0) (ite (< 48 h1 51) 1 0) (ite (< 48 g3 51) 1 0) (ite (< 48 f5 51) 1 0) (ite (< 48 h2 51) 1 0) (ite (< 48 g4 51) 1 0) (ite (< 48 i1 51) 1 0) (ite (< 48 h3 51) 1 0) (ite (< 48 i2 51) 1 0) (ite (< 48 j1 51) 1 0)) 2) :named |SET06 between 48 and 51|))
(assert (> h3 48))
(set-info :status unsat)
(check-sat)
(pop 1)

; h3 can be 48
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 49) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 48) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; i2: at least 30
(push 1)
(assert (! (<= (+ (ite (< 25 d1 30) 1 0) (ite (< 25 d2 30) 1 0) (ite (< 25 e1 30) 1 0) (ite (< 25 d3 30) 1 0) (ite (< 25 e2 30) 1 0) (ite (< 25 d4 30) 1 0) (ite (< 25 f1 30) 1 0) (ite (< 25 e3 30) 1 0) (ite (< 25 d5 30) 1 0) (ite (< 25 f2 30) 1 0) (ite (< 25 e4 30) 1 0) (ite (< 25 d6 30) 1 0) (ite (< 25 g1 30) 1 0) (ite (< 25 f3 30) 1 0) (ite (< 25 e5 30) 1 0) (ite (< 25 g2 30) 1 0) (ite (< 25 f4 30) 1 0) (ite (< 25 e6 30) 1 0) (ite (< 25 h1 30) 1 0) (ite (< 25 g3 30) 1 0) (ite (< 25 f5 30) 1 0) (ite (< 25 h2 30) 1 0) (ite (< 25 g4 30) 1 0) (ite (< 25 i1 30) 1 0) (ite (< 25 h3 30) 1 0) (ite (< 25 i2 30) 1 0) (ite (< 25 j1 30) 1 0)) 4) :named |SET06 between 25 and 30|))
(assert (< i2 30))
(set-info :status unsat)
(check-sat)
(pop 1)

; i2 can be 30
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; i2: at most 49
(push 1)
(assert (! (<= (+ (ite (< 49 d1 51) 1 0) (ite (< 49 d2 51) 1 0) (ite (< 49 e1 51) 1 0) (ite (< 49 d3 51) 1 0) (ite (< 49 e2 51) 1 0) (ite (< 49 d4 51) 1 0) (ite (< 49 f1 51) 1 0) (ite (< 49 e3 51) 1 0) (ite (< 49 d5 51) 1 0) (ite (< 49 f2 51) 1 0) (ite (< 49 e4 51) 1 0) (ite (< 49 d6 51) 1 0) (ite (< 49 g1 51) 1 0) (ite (< 49 f3 51) 1 0) (ite (< 49 e5 51) 1 0) (ite (< 49 g2 51) 1 0) (ite (< 49 f4 51) 1 0) (ite (< 49 e6 51) 1 0) (ite (< 49 h1 51) 1 0) (ite (< 49 g3 51) 1 0) (ite (< 49 f5 51) 1 0) (ite (< 49 h2 51) 1 0) (ite (< 49 g4 51) 1 0) (ite (< 49 i1 51) 1 0) (ite (< 49 h3 51) 1 0) (ite (< 49 i2 51) 1 0) (ite (< 49 j1 51) 1 0)) 1) :named |SET06 between 49 and 51|))
(assert (> i2 49))
(set-info :status unsat)
(check-sat)
(pop 1)

; i2 can be 49
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 49) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; j1: at least 31
(push 1)
(assert (! (<= (+ (ite (< 25 d1 31) 1 0) (ite (< 25 d2 31) 1 0) (ite (< 25 e1 31) 1 0) (ite (< 25 d3 31) 1 0) (ite (< 25 e2 31) 1 0) (ite (< 25 d4 31) 1 0) (ite (< 25 f1 31) 1 0) (ite (< 25 e3 31) 1 0) (ite (< 25 d5 31) 1 0) (ite (< 25 f2 31) 1 0) (ite (< 25 e4 31) 1 0) (ite (< 25 d6 31) 1 0) (ite (< 25 g1 31) 1 0) (ite (< 25 f3 31) 1 0) (ite (< 25 e5 31) 1 0) (ite (< 25 g2 31) 1 0) (ite (< 25 f4 31) 1 0) (ite (< 25 e6 31) 1 0) (ite (< 25 h1 31) 1 0) (ite (< 25 g3 31) 1 0) (ite (< 25 f5 31) 1 0) (ite (< 25 h2 31) 1 0) (ite (< 25 g4 31) 1 0) (ite (< 25 i1 31) 1 0) (ite (< 25 h3 31) 1 0) (ite (< 25 i2 31) 1 0) (ite (< 25 j1 31) 1 0)) 5) :named |SET06 between 25 and 31|))
(assert (< j1 31))
(set-info :status unsat)
(check-sat)
(pop 1)

; j1 can be 31
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 31) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)

; j1: at most 50
(push 1)
(assert (! (<= (+ (ite (< 50 d1 51) 1 0) (ite (< 50 d2 51) 1 0) (ite (< 50 e1 51) 1 0) (ite (< 50 d3 51) 1 0) (ite (< 50 e2 51) 1 0) (ite (< 50 d4 51) 1 0) (ite (< 50 f1 51) 1 0) (ite (< 50 e3 51) 1 0) (ite (< 50 d5 51) 1 0) (ite (< 50 f2 51) 1 0) (ite (< 50 e4 51) 1 0) (ite (< 50 d6 51) 1 0) (ite (< 50 g1 51) 1 0) (ite (< 50 f3 51) 1 0) (ite (< 50 e5 51) 1 0) (ite (< 50 g2 51) 1 0) (ite (< 50 f4 51) 1 0) (ite (< 50 e6 51) 1 0) (ite (< 50 h1 51) 1 0) (ite (< 50 g3 51) 1 0) (ite (< 50 f5 51) 1 0) (ite (< 50 h2 51) 1 0) (ite (< 50 g4 51) 1 0) (ite (< 50 i1 51) 1 0) (ite (< 50 h3 51) 1 0) (ite (< 50 i2 51) 1 0) (ite (< 50 j1 51) 1 0)) 0) :named |SET06 between 50 and 51|))
(assert (> j1 50))
(set-info :status unsat)
(check-sat)
(pop 1)

; j1 can be 50
(push 1)
(assert (! (distinct d1 d2 e1 d3 e2 d4 f1 e3 d5 f2 e4 d6 g1 f3 e5 g2 f4 e6 h1 g3 f5 h2 g4 i1 h3 i2 j1) :named |SET06 each card once|))
(assert (and (= d1 1) (= e1 7) (= f1 9) (= g1 13) (= h1 18) (= i1 21) (= j1 50) (= d2 2) (= e2 8) (= f2 11) (= g2 16) (= h2 20) (= i2 30) (= d3 3) (= e3 10) (= f3 14) (= g3 19) (= h3 29) (= d4 4) (= e4 12) (= f4 17) (= g4 28) (= d5 5) (= e5 15) (= f5 27) (= d6 6) (= e6 26)))
(set-info :status sat)
(check-sat)
(pop 1)
