; The closed form of the order. TOW02 leads from (c, r) to (c, r + 1) and from (c, r) to (c + 1, r - 1).
; What these steps generate is: column not greater, and column + level not greater. By induction on the
; number of steps, and on (d - c) + (d + s - c - r), with the lemmas below. 2*column + level rises with it.
(set-info :smt-lib-version 2.6)
(set-logic QF_LIA)

; Cell (c, r): column c from 0 at the left end, level r from 1; the pyramid:
(define-fun cell ((c Int) (r Int)) Bool (and (<= 0 c) (<= 1 r) (<= (+ c r) 7)))
; p at or below q
(define-fun at-or-below ((c Int) (r Int) (d Int) (s Int)) Bool (and (<= c d) (<= (+ c r) (+ d s))))
(declare-const c Int) (declare-const r Int) (declare-const d Int) (declare-const s Int)
(declare-const e Int) (declare-const t Int)

; Each step leads upward in the closed form.
(push 1)
(assert (cell c r))
(assert (cell d s))
(assert (or (and (= d c) (= s (+ r 1))) (and (= d (+ c 1)) (= s (- r 1)))))
(assert (not (at-or-below c r d s)))
(set-info :status unsat)
(check-sat)
(pop 1)

; The closed form is transitive.
(push 1)
(assert (and (at-or-below c r d s) (at-or-below d s e t)))
(assert (not (at-or-below c r e t)))
(set-info :status unsat)
(check-sat)
(pop 1)

; And antisymmetric.
(push 1)
(assert (and (at-or-below c r d s) (at-or-below d s c r)))
(assert (not (and (= c d) (= r s))))
(set-info :status unsat)
(check-sat)
(pop 1)

; Below another cell, some step stays in the pyramid and at or below that cell.
(push 1)
(assert (cell c r))
(assert (cell d s))
(assert (at-or-below c r d s))
(assert (not (and (= c d) (= r s))))
(assert (not (and (cell c (+ r 1)) (at-or-below c (+ r 1) d s))))
(assert (not (and (cell (+ c 1) (- r 1)) (at-or-below (+ c 1) (- r 1) d s))))
(set-info :status unsat)
(check-sat)
(pop 1)

; 2*column + level rises along the order: it is a linear extension, with ties between unordered cells.
(push 1)
(assert (cell c r))
(assert (cell d s))
(assert (at-or-below c r d s))
(assert (not (and (= c d) (= r s))))
(assert (>= (+ (* 2 c) r) (+ (* 2 d) s)))
(set-info :status unsat)
(check-sat)
(pop 1)
