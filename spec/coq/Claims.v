(** Of the claims on a tower the true ones have certificates that are accepted, and no others have:
    certificate.md, "Claims". *)

From Coq Require Import List ZArith Lia Bool.
From Couperation Require Import Lists Cells Tower Decide Position Repair Reasons TowerChecker Trees.
Import ListNotations.
Open Scope Z_scope.

(** * The claims *)

(** [Irreparable] is a repair whose distance is null. *)
Inductive claim := IsCompletable | IsDeadlocked | HasDistance (d : nat) | Irreparable.

Definition claim_of (e : evidence) : claim :=
  match e with
  | Completable _ _ => IsCompletable
  | Deadlocked _ => IsDeadlocked
  | Repaired give_up _ _ _ => HasDistance (length give_up)
  | BeyondRepair _ => Irreparable
  end.

Definition is_so (P : position) (c : claim) : Prop :=
  match c with
  | IsCompletable => exists l, In l (places P) /\ completable (standing P l)
  | IsDeadlocked => forall l, In l (places P) -> ~ completable (standing P l)
  | HasDistance d => distance P d
  | Irreparable => beyond_repair P
  end.

Definition certified (P : position) (c : claim) : Prop := exists e, claim_of e = c /\ accepts P e = true.

(** What is so has a certificate that is accepted, and nothing else has. *)
Theorem certified_iff : forall P c, allowed P = true -> certified P c <-> is_so P c.
Proof.
  intros P c A. split.
  - intros (e & <- & H). apply accepts_sound in H. destruct e; exact H.
  - intros H. destruct c as [| | d |]; cbn [is_so] in H.
    + destruct (completable_certified P A H) as (l & m & E). exists (Completable l m). auto.
    + destruct (deadlock_certified P A H) as (rs & E). exists (Deadlocked rs). auto.
    + destruct (distance_certified P d A H) as (X & l & m & lower & <- & E). exists (Repaired X l m lower).
      auto.
    + destruct (beyond_repair_certified P A H) as (lower & E). exists (BeyondRepair lower). auto.
Qed.

(** * One of them is so *)

(** What is so of a member, or of none. *)
Lemma some_or_none : forall A (Q : A -> Prop) s, (forall x, In x s -> Q x \/ ~ Q x) ->
  (exists x, In x s /\ Q x) \/ forall x, In x s -> ~ Q x.
Proof.
  intros A Q s D. induction s as [| x s IH]; [right; intros x [] |].
  destruct (D x (or_introl eq_refl)) as [H | H]; [left; exists x; simpl; auto |].
  destruct IH as [(y & I & H') | IH]; [intros y I; apply D; right; trivial | left; exists y; simpl; auto |].
  right. intros y [<- | I]; auto.
Qed.

(** Every part of a list. *)
Fixpoint parts {A} (s : list A) : list (list A) :=
  match s with [] => [[]] | x :: s => parts s ++ map (cons x) (parts s) end.

Lemma parts_incl : forall A (s X : list A), In X (parts s) -> incl X s.
Proof.
  induction s as [| x s IH]; simpl; intros X I.
  - destruct I as [<- | []]. intros y [].
  - apply in_app_or in I. destruct I as [I | I]; [intros y J; right; exact (IH X I y J) |].
    apply in_map_iff in I. destruct I as (Y & <- & I). intros y [<- | J]; [left; trivial | right].
    exact (IH Y I y J).
Qed.

Lemma filter_part : forall A (f : A -> bool) s, In (filter f s) (parts s).
Proof.
  induction s as [| x s IH]; simpl; [auto |]. apply in_or_app.
  destruct (f x); [right; apply in_map, IH | left; exact IH].
Qed.

Section One.
  Variable P : position.
  Hypothesis Al : allowed P = true.

  (** No more than n cards save. *)
  Definition saved_by (n : nat) : Prop := exists l X, In l (places P) /\ saves P l X /\ (length X <= n)%nat.

  (** A set that saves is a part of the cards that may be given up. *)
  Lemma saving_part : forall l X, In l (places P) -> saves P l X ->
    exists Y, In Y (parts (may_go P)) /\ saves P l Y /\ (length Y <= length X)%nat.
  Proof.
    intros l X L [Inc C]. exists (filter (fun p => among p X) (may_go P)).
    assert (In_iff : forall p, In p (filter (fun p => among p X) (may_go P)) <-> In p X).
    { intros p. rewrite filter_In, among_true. split; [tauto |]. intros I. split; trivial. apply Inc, I. }
    split; [apply filter_part |]. split; [split |].
    - intros p I. apply filter_In in I. apply I.
    - apply (giving_up_more P Al l L X); trivial. intros p I. apply In_iff, I.
    - apply NoDup_incl_length; [apply NoDup_filter, may_go_nodup, Al |]. intros p I. apply In_iff, I.
  Qed.

  Lemma saved_by_dec : forall n, saved_by n \/ ~ saved_by n.
  Proof.
    intros n.
    set (Q := fun l => exists X, In X (parts (may_go P)) /\ completable (world P l X) /\ (length X <= n)%nat).
    destruct (some_or_none Z Q (places P)) as [(l & L & X & I & C & E) | None].
    - intros l L. destruct (some_or_none _ (fun X => completable (world P l X) /\ (length X <= n)%nat)
        (parts (may_go P))) as [(X & I & C) | None].
      + intros X _. destruct (completable_dec (world P l X) (world_valid P Al l X L)); [| tauto].
        destruct (le_lt_dec (length X) n); [tauto |]. right. lia.
      + left. exists X. tauto.
      + right. intros (X & I & C). exact (None X I C).
    - left. exists l, X. split; [trivial |]. split; [split |]; trivial. apply parts_incl, I.
    - right. intros (l & X & L & S & E). destruct (saving_part l X L S) as (Y & I & [_ C] & E').
      apply (None l L). exists Y. split; [trivial | split; [trivial | lia]].
  Qed.

  Lemma saved_by_distance : forall n, saved_by n -> exists d, distance P d.
  Proof.
    induction n as [| n IH]; intros S.
    - exists 0%nat. split; [| intros; apply Nat.le_0_l]. destruct S as (l & X & L & S & E). exists l, X.
      split; [trivial | split; [trivial | lia]].
    - destruct (saved_by_dec n) as [F | M]; [auto |]. exists (Datatypes.S n).
      destruct S as (l & X & L & S & E).
      assert (Least : forall k Y, In k (places P) -> saves P k Y -> (n < length Y)%nat).
      { intros k Y K SY. apply Nat.nle_gt. intros F. apply M. exists k, Y. auto. }
      split; [| exact Least]. exists l, X. split; [trivial |]. split; [trivial |].
      specialize (Least l X L S). lia.
  Qed.

  (** There is a distance, or nothing saves the tower. *)
  Theorem distance_or_none : beyond_repair P \/ exists d, distance P d.
  Proof.
    destruct (saved_by_dec (length (may_go P))) as [S | N]; [right; apply saved_by_distance with (1 := S) |].
    left. intros l X L S. destruct (saving_part l X L S) as (Y & I & SY & E). apply N. exists l, Y.
    split; [trivial |]. split; [trivial |].
    destruct SY as [_ _]. clear - I. revert Y I. induction (may_go P) as [| x s IH]; simpl; intros Y I.
    - destruct I as [<- | []]. apply le_n.
    - apply in_app_or in I. destruct I as [I | I]; [specialize (IH Y I); lia |].
      apply in_map_iff in I. destruct I as (X & <- & I). specialize (IH X I). simpl. lia.
  Qed.

  Lemma distance_unique : forall d e, distance P d -> distance P e -> d = e.
  Proof.
    intros d e ((l & X & L & S & <-) & D) ((k & Y & K & T & <-) & E).
    apply Nat.le_antisymm; [apply (D k) | apply (E l)]; trivial.
  Qed.

  Lemma completable_or_deadlocked : is_so P IsCompletable \/ is_so P IsDeadlocked.
  Proof.
    apply (some_or_none Z (fun l => completable (standing P l))). intros l L.
    apply completable_dec, world_valid; trivial.
  Qed.

  (** A tower is completable just where its distance is 0. *)
  Lemma completable_distance : is_so P IsCompletable <-> distance P 0.
  Proof.
    split.
    - intros (l & L & C). split; [| intros; apply Nat.le_0_l]. exists l, []. split; [trivial |].
      split; [split; [intros p [] | exact C] | reflexivity].
    - intros ((l & X & L & [_ C] & E) & _). destruct X; [| discriminate]. exists l. auto.
  Qed.

  (** A tower is completable or deadlocked, and has one distance (null where nothing saves it), which is 0
      just where it is completable. These two claims have certificates that are accepted, and no other claim
      has. *)
  Theorem tower_claims : exists state repair,
    (state = IsCompletable \/ state = IsDeadlocked) /\
    (repair = Irreparable \/ exists d, repair = HasDistance d) /\
    (state = IsCompletable <-> repair = HasDistance 0) /\
    forall c, certified P c <-> c = state \/ c = repair.
  Proof.
    assert (St : exists s, (s = IsCompletable \/ s = IsDeadlocked) /\ is_so P s /\
      forall c, (c = IsCompletable \/ c = IsDeadlocked) -> is_so P c -> c = s).
    { destruct completable_or_deadlocked as [C | D]; [exists IsCompletable | exists IsDeadlocked];
        (split; [auto |]; split; [trivial |]); intros c [-> | ->] H; trivial; exfalso.
      - destruct C as (l & L & C). exact (H l L C).
      - destruct H as (l & L & C). exact (D l L C). }
    assert (Re : exists r, (r = Irreparable \/ exists d, r = HasDistance d) /\ is_so P r /\
      forall c, (c = Irreparable \/ exists d, c = HasDistance d) -> is_so P c -> c = r).
    { destruct distance_or_none as [B | (d & D)]; [exists Irreparable | exists (HasDistance d)];
        (split; [eauto |]; split; [trivial |]); intros c [-> | (e & ->)] H; trivial.
      - exfalso. destruct H as ((l & X & L & S & _) & _). exact (B l X L S).
      - exfalso. destruct D as ((l & X & L & S & _) & _). exact (H l X L S).
      - f_equal. apply distance_unique; trivial. }
    destruct St as (s & Ks & Ss & Us), Re as (r & Kr & Sr & Ur). exists s, r.
    split; [trivial |]. split; [trivial |]. split; [split |].
    - intros ->. symmetry. apply Ur; [eauto |]. apply completable_distance, Ss.
    - intros ->. symmetry. apply Us; [auto |]. apply completable_distance, Sr.
    - intros c. rewrite certified_iff by exact Al. split; [| intros [-> | ->]; trivial].
      intros H. destruct c as [| | d |]; [left; apply Us; auto .. | |]; right; apply Ur; eauto.
  Qed.
End One.

(** 30 on f1 beside 25 on g1: deadlocked, and at distance 1. *)
Example out_of_order_claims :
  certified out_of_order IsDeadlocked /\ certified out_of_order (HasDistance 1) /\
  ~ certified out_of_order IsCompletable /\ ~ certified out_of_order Irreparable.
Proof.
  assert (A : allowed out_of_order = true) by reflexivity.
  assert (D : certified out_of_order IsDeadlocked)
    by (eexists; split; [| exact deadlocked_accepted]; reflexivity).
  assert (R : certified out_of_order (HasDistance 1))
    by (eexists; split; [| exact (proj1 repair_accepted)]; reflexivity).
  split; [trivial |]. split; [trivial |]. rewrite !certified_iff in * by exact A.
  split; [intros (l & L & C); exact (D l L C) |].
  intros B. destruct R as ((l & X & L & S & _) & _). exact (B l X L S).
Qed.
