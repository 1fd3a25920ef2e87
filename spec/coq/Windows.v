(** Windows of free cells: completability.md, "Bounds", "Window", Lemma 1 and Lemma 2. *)

From Coq Require Import List ZArith Lia Bool.
Import ListNotations.
Open Scope Z_scope.

Section Windows.

(** Cells of any kind with a transitive order that can be decided. *)
Variable C : Type.
Variable lt : C -> C -> Prop.
Variable ltb : C -> C -> bool.
Hypothesis ltb_true : forall p q, ltb p q = true <-> lt p q.
Hypothesis lt_trans : forall p q r, lt p q -> lt q r -> lt p r.

(** The upper bound of every cell: 51 on the printed board. *)
Variable top : Z.

(** A cell that bounds others: every cell below it stays under [under], every cell above it over [over]. For a
    card that is up, both are its number; the apex of F may give two different numbers. *)
Record bound := Bound { at_cell : C; under : Z; over : Z }.

(** "Every cell has the lower bound 0 and the upper bound 51 besides." *)
Fixpoint lo (bs : list bound) (p : C) : Z :=
  match bs with
  | [] => 0
  | b :: bs => if ltb (at_cell b) p then Z.max (over b) (lo bs p) else lo bs p
  end.

Fixpoint hi (bs : list bound) (p : C) : Z :=
  match bs with
  | [] => top
  | b :: bs => if ltb p (at_cell b) then Z.min (under b) (hi bs p) else hi bs p
  end.

(** lo(p) is the greatest lower bound: a number is above it just when it is above all of them. *)
Lemma above_lo : forall bs p v, lo bs p < v <-> 0 < v /\ forall b, In b bs -> lt (at_cell b) p -> over b < v.
Proof.
  intros bs p v. induction bs as [| b bs IH]; simpl; [intuition |].
  destruct (ltb (at_cell b) p) eqn:E.
  - apply ltb_true in E. rewrite Z.max_lub_lt_iff, IH. split.
    + intros (A & B & D). split; trivial. intros c [<- | I]; auto.
    + intros (A & B). auto.
  - rewrite IH. split; intros (A & B); split; trivial; auto.
    intros c [<- | I] L; auto. apply ltb_true in L. congruence.
Qed.

Lemma under_hi : forall bs p v, v < hi bs p <-> v < top /\ forall b, In b bs -> lt p (at_cell b) ->
  v < under b.
Proof.
  intros bs p v. induction bs as [| b bs IH]; simpl; [intuition |].
  destruct (ltb p (at_cell b)) eqn:E.
  - apply ltb_true in E. rewrite Z.min_glb_lt_iff, IH. split.
    + intros (A & B & D). split; trivial. intros c [<- | I]; auto.
    + intros (A & B). auto.
  - rewrite IH. split; intros (A & B); split; trivial; auto.
    intros c [<- | I] L; auto. apply ltb_true in L. congruence.
Qed.

Lemma lo_nonnegative : forall bs p, 0 <= lo bs p.
Proof. intros bs p. induction bs as [| b bs IH]; simpl; [lia |]. destruct (ltb _ _); lia. Qed.

(** "The greatest lower bound" is one of the bounds, or 0; and so for the least upper one. *)
Lemma lo_attained : forall bs p, lo bs p = 0 \/ exists b, In b bs /\ lt (at_cell b) p /\ lo bs p = over b.
Proof.
  intros bs p. induction bs as [| b bs IH]; simpl; [auto |].
  assert (R : lo bs p = 0 \/ exists c, (b = c \/ In c bs) /\ lt (at_cell c) p /\ lo bs p = over c)
    by (destruct IH as [IH | (c & I & L & E)]; [auto | right; exists c; auto]).
  destruct (ltb (at_cell b) p) eqn:E; trivial. apply ltb_true in E.
  destruct (Z.max_spec (over b) (lo bs p)) as [[_ ->] | [_ ->]]; trivial. right. exists b. auto.
Qed.

Lemma hi_attained : forall bs p, hi bs p = top \/ exists b, In b bs /\ lt p (at_cell b) /\ hi bs p = under b.
Proof.
  intros bs p. induction bs as [| b bs IH]; simpl; [auto |].
  assert (R : hi bs p = top \/ exists c, (b = c \/ In c bs) /\ lt p (at_cell c) /\ hi bs p = under c)
    by (destruct IH as [IH | (c & I & L & E)]; [auto | right; exists c; auto]).
  destruct (ltb p (at_cell b)) eqn:E; trivial. apply ltb_true in E.
  destruct (Z.min_spec (under b) (hi bs p)) as [[_ ->] | [_ ->]]; trivial. right. exists b. auto.
Qed.

(** Lemma 1, windows are monotone. It does not matter whether the fixed cells agree, whether a window is empty
    or reversed, or what numbers the bounds are. *)
Theorem windows_monotone : forall bs p q, lt p q -> lo bs p <= lo bs q /\ hi bs p <= hi bs q.
Proof.
  intros bs p q L. split.
  - apply Z.nlt_ge. intros A. apply above_lo in A. destruct A as [A B].
    apply (Z.lt_irrefl (lo bs p)). apply above_lo. split; trivial.
    intros b I M. apply B; trivial. eapply lt_trans; eassumption.
  - apply Z.nlt_ge. intros A. apply under_hi in A. destruct A as [A B].
    apply (Z.lt_irrefl (hi bs q)). apply under_hi. split; trivial.
    intros b I M. apply B; trivial. eapply lt_trans; eassumption.
Qed.

(** "Let every lower bound that a cell gives be less than every upper bound that a cell above it gives." *)
Definition agree (bs : list bound) : Prop :=
  forall b c, In b bs -> In c bs -> lt (at_cell b) (at_cell c) -> over b < under c.

(** Every bound is "a card's number or the other end": lower bounds are below [top], upper ones above 0. *)
Definition numbers (bs : list bound) : Prop := forall b, In b bs -> 0 < under b /\ over b < top.

(** Lemma 2, no window is reversed where the bounds agree. *)
Theorem no_window_reversed : forall bs p, 0 < top -> numbers bs -> agree bs -> lo bs p < hi bs p.
Proof.
  intros bs p T N A. apply above_lo. split.
  - apply under_hi. split; trivial. intros b I _. apply N, I.
  - intros b I L. apply under_hi. split; [apply N, I |].
    intros c J M. apply A; trivial. eapply lt_trans; eassumption.
Qed.

(** Whether bounds agree, as a test. *)
Definition agreeb (bs : list bound) : bool :=
  forallb (fun b => forallb (fun c => negb (ltb (at_cell b) (at_cell c)) || (over b <? under c)) bs) bs.

Lemma agreeb_true : forall bs, agreeb bs = true <-> agree bs.
Proof.
  intros bs. unfold agreeb, agree. rewrite forallb_forall. split.
  - intros H b c I J L. specialize (H b I). rewrite forallb_forall in H. specialize (H c J).
    apply ltb_true in L. rewrite L in H. simpl in H. apply Z.ltb_lt, H.
  - intros H b I. apply forallb_forall. intros c J. specialize (H b c I J).
    destruct (ltb (at_cell b) (at_cell c)) eqn:E; simpl; trivial. apply Z.ltb_lt, H, ltb_true, E.
Qed.

End Windows.

Arguments Bound {C}.
Arguments at_cell {C}.
Arguments under {C}.
Arguments over {C}.
Arguments lo {C}.
Arguments hi {C}.
Arguments agree {C}.
Arguments agreeb {C}.
Arguments numbers {C}.

(** Whole numbers as cells: 3 holds 10 and 7 holds 20, so that 5 has the window (10, 20). *)
Example windows_example :
  let bs := [Bound 3 10 10; Bound 7 20 20] in
  lo Z.ltb bs 5 = 10 /\ hi Z.ltb 51 bs 5 = 20 /\ hi Z.ltb 51 bs 8 = 51 /\ agreeb Z.ltb bs = true.
Proof. vm_compute. auto. Qed.
