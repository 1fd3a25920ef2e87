; Windows are monotone. Some cells are fixed; a fixed cell bounds those above it by over(cell) and those below
; it by under(cell): both are its number, save for the Finish card's apex under between=inclusive (24 and 26).
; The window of a cell is (lo, hi): lo is the greatest over of a fixed cell below it, 0 if there is none.
; If p is below q, then lo(p) <= lo(q) and hi(p) <= hi(q).
(set-info :smt-lib-version 2.6)
(set-logic UFLIA)

; Cell (c, r): column c from 0 at the left end, level r from 1; the pyramid:
(define-fun cell ((c Int) (r Int)) Bool (and (<= 0 c) (<= 1 r) (<= (+ c r) 7)))
; p at or below q
(define-fun at-or-below ((c Int) (r Int) (d Int) (s Int)) Bool (and (<= c d) (<= (+ c r) (+ d s))))
(define-fun below ((c Int) (r Int) (d Int) (s Int)) Bool
  (and (at-or-below c r d s) (not (and (= c d) (= r s)))))
(declare-fun fixed (Int Int) Bool)
(declare-fun over (Int Int) Int)
(declare-fun under (Int Int) Int)
(declare-const c Int) (declare-const r Int) (declare-const d Int) (declare-const s Int)
(declare-const lo-p Int) (declare-const lo-q Int) (declare-const hi-p Int) (declare-const hi-q Int)
(assert (forall ((x Int) (y Int)) (=> (fixed x y) (and (< 0 (over x y)) (< (under x y) 51)))))
(assert (below c r d s))
; lo and hi of p
(assert (forall ((x Int) (y Int)) (=> (and (fixed x y) (below x y c r)) (<= (over x y) lo-p))))
(assert (or (= lo-p 0)
  (exists ((x Int) (y Int)) (and (fixed x y) (below x y c r) (= (over x y) lo-p)))))
(assert (<= 0 lo-p))
(assert (forall ((x Int) (y Int)) (=> (and (fixed x y) (below c r x y)) (<= hi-p (under x y)))))
(assert (or (= hi-p 51)
  (exists ((x Int) (y Int)) (and (fixed x y) (below c r x y) (= (under x y) hi-p)))))
(assert (<= hi-p 51))
; lo and hi of q
(assert (forall ((x Int) (y Int)) (=> (and (fixed x y) (below x y d s)) (<= (over x y) lo-q))))
(assert (or (= lo-q 0)
  (exists ((x Int) (y Int)) (and (fixed x y) (below x y d s) (= (over x y) lo-q)))))
(assert (<= 0 lo-q))
(assert (forall ((x Int) (y Int)) (=> (and (fixed x y) (below d s x y)) (<= hi-q (under x y)))))
(assert (or (= hi-q 51)
  (exists ((x Int) (y Int)) (and (fixed x y) (below d s x y) (= (under x y) hi-q)))))
(assert (<= hi-q 51))

; The lower ends.
(push 1)
(assert (> lo-p lo-q))
(set-info :status unsat)
(check-sat)
(pop 1)

; The upper ends.
(push 1)
(assert (> hi-p hi-q))
(set-info :status unsat)
(check-sat)
(pop 1)
