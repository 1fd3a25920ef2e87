(** Facts about lists that the other files use. *)

From Coq Require Import List ZArith Lia Bool Sorted Permutation.
Import ListNotations.
Open Scope Z_scope.

(** The number of members that a test accepts. *)
Definition count {A} (f : A -> bool) (l : list A) : nat := length (filter f l).

Lemma count_cons : forall A (f : A -> bool) x l, count f (x :: l) = ((if f x then 1 else 0) + count f l)%nat.
Proof. intros A f x l. unfold count. simpl. destruct (f x); reflexivity. Qed.

(** A test that accepts less counts less, an equivalent one as many. *)
Lemma count_le : forall A (f g : A -> bool) l,
  (forall x, In x l -> f x = true -> g x = true) -> (count f l <= count g l)%nat.
Proof.
  intros A f g l H. induction l as [| x l IH]; [apply le_n |]. rewrite !count_cons.
  specialize (IH (fun y I => H y (or_intror I))). specialize (H x (or_introl eq_refl)).
  destruct (f x); [rewrite H by reflexivity; lia | destruct (g x); lia].
Qed.

Lemma count_eq : forall A (f g : A -> bool) l,
  (forall x, In x l -> f x = true <-> g x = true) -> count f l = count g l.
Proof. intros A f g l H. apply Nat.le_antisymm; apply count_le; intros x I; apply H, I. Qed.

Lemma count_none : forall A (f : A -> bool) l, (forall x, In x l -> f x = false) -> count f l = 0%nat.
Proof.
  intros A f l H. induction l as [| x l IH]; [reflexivity |].
  rewrite count_cons, (H x (or_introl eq_refl)), IH; [reflexivity | intros y I; apply H; right; trivial].
Qed.

Lemma count_all : forall A (f : A -> bool) l, (forall x, In x l -> f x = true) -> count f l = length l.
Proof.
  intros A f l H. induction l as [| x l IH]; [reflexivity |].
  rewrite count_cons, (H x (or_introl eq_refl)), IH; [reflexivity | intros y I; apply H; right; trivial].
Qed.

Lemma count_at_most : forall A (f : A -> bool) l, (count f l <= length l)%nat.
Proof.
  intros A f l. induction l as [| x l IH]; [apply le_n |]. rewrite count_cons. simpl. destruct (f x); lia.
Qed.

Lemma count_some : forall A (f : A -> bool) l x, In x l -> f x = true -> (1 <= count f l)%nat.
Proof.
  intros A f l x I F. induction l as [| y l IH]; [destruct I |]. rewrite count_cons.
  destruct I as [-> | I]; [rewrite F; lia | specialize (IH I); lia].
Qed.

Lemma count_split : forall A (f g : A -> bool) l,
  count f l = (count (fun x => f x && g x) l + count (fun x => f x && negb (g x)) l)%nat.
Proof.
  intros A f g l. induction l as [| x l IH]; [reflexivity |]. rewrite !count_cons, IH.
  destruct (f x), (g x); simpl; lia.
Qed.

(** Counting by an injective map: no more members than images. *)
Lemma injection_length : forall A B (f : A -> B) s t,
  NoDup s -> (forall x, In x s -> In (f x) t) -> (forall x y, In x s -> In y s -> f x = f y -> x = y) ->
  (length s <= length t)%nat.
Proof.
  intros A B f s t N M I. rewrite <- (map_length f). apply NoDup_incl_length.
  - induction N as [| x s X N IH]; simpl; constructor.
    + intros J. apply in_map_iff in J. destruct J as (y & E & J).
      apply X. replace x with y; trivial. apply I; simpl; auto.
    + apply IH; intros; [apply M | apply I]; simpl; auto.
  - intros b J. apply in_map_iff in J. destruct J as (x & <- & J). auto.
Qed.

(** A part of a sorted list is sorted. *)
Lemma sorted_filter : forall A (R : A -> A -> Prop) f l, StronglySorted R l -> StronglySorted R (filter f l).
Proof.
  intros A R f l S. induction S as [| x l S IH F]; simpl; [constructor |].
  destruct (f x); [constructor |]; trivial. rewrite Forall_forall in *. intros y I. apply filter_In in I.
  apply F, I.
Qed.

Lemma sorted_split : forall A (R : A -> A -> Prop) s x t y,
  StronglySorted R (s ++ x :: t) -> In y t -> R x y.
Proof.
  intros A R s x t y S I. induction s as [| z s IH]; simpl in S; inversion S as [| ? ? S' F]; subst.
  - rewrite Forall_forall in F. auto.
  - auto.
Qed.

(** A list without one member. *)
Section Without.
  Variables (A : Type) (eqb : A -> A -> bool).
  Hypothesis eqb_spec : forall x y, reflect (x = y) (eqb x y).

  Definition without (x : A) (l : list A) : list A := filter (fun y => negb (eqb x y)) l.

  Lemma in_without : forall x l y, In y (without x l) <-> In y l /\ x <> y.
  Proof.
    intros x l y. unfold without. rewrite filter_In, negb_true_iff.
    destruct (eqb_spec x y); intuition congruence.
  Qed.

  Lemma without_absent : forall x l, ~ In x l -> without x l = l.
  Proof.
    intros x l N. unfold without. induction l as [| y l IH]; simpl; trivial.
    destruct (eqb_spec x y) as [-> |]; [exfalso; apply N; left; trivial |].
    simpl. rewrite IH; trivial. intros I. apply N. right. trivial.
  Qed.

  Lemma count_without : forall f x l, NoDup l -> In x l ->
    count f l = ((if f x then 1 else 0) + count f (without x l))%nat.
  Proof.
    intros f x l N I. induction N as [| y l Y N IH]; [destruct I |].
    unfold without. simpl. destruct (eqb_spec x y) as [<- |]; simpl.
    - fold (without x l). rewrite without_absent by trivial. apply count_cons.
    - destruct I as [-> | I]; [congruence |]. fold (without x l).
      rewrite !count_cons, IH by trivial. lia.
  Qed.

  Lemma permutation_without : forall x l, NoDup l -> In x l -> Permutation (x :: without x l) l.
  Proof.
    intros x l N I. apply NoDup_Permutation; trivial.
    - constructor; [rewrite in_without; tauto | apply NoDup_filter, N].
    - intros y. simpl. rewrite in_without. destruct (eqb_spec x y); subst; intuition.
  Qed.
End Without.

Arguments without {A}.
