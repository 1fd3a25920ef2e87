; The swap. p is below q, their windows are monotone, and their numbers x, y lie inside but out of order.
(set-info :smt-lib-version 2.6)
(set-logic QF_LIA)
(declare-const lo-p Int) (declare-const hi-p Int) (declare-const lo-q Int) (declare-const hi-q Int)
(declare-const x Int) (declare-const y Int) (declare-const z Int)
(assert (and (<= lo-p lo-q) (<= hi-p hi-q)))
(assert (and (< lo-p x hi-p) (< lo-q y hi-q)))
(assert (> x y))

; Exchanged they still lie inside.
(push 1)
(assert (not (and (< lo-p y hi-p) (< lo-q x hi-q))))
(set-info :status unsat)
(check-sat)
(pop 1)
; inversions that a cell with the number z takes part in, together with p and q: before, after, and between
(define-fun inverted ((first Int) (second Int)) Int (ite (> first second) 1 0))

; A third cell ahead of both in the linear extension is in no more inversions than before.
(push 1)
(assert (> (+ (inverted z y) (inverted z x)) (+ (inverted z x) (inverted z y))))
(set-info :status unsat)
(check-sat)
(pop 1)

; A third cell between them in the linear extension is in no more inversions than before.
(push 1)
(assert (> (+ (inverted y z) (inverted z x)) (+ (inverted x z) (inverted z y))))
(set-info :status unsat)
(check-sat)
(pop 1)

; A third cell after both in the linear extension is in no more inversions than before.
(push 1)
(assert (> (+ (inverted y z) (inverted x z)) (+ (inverted x z) (inverted y z))))
(set-info :status unsat)
(check-sat)
(pop 1)

; And the pair itself is in one less.
(push 1)
(assert (>= (inverted y x) (inverted x y)))
(set-info :status unsat)
(check-sat)
(pop 1)
