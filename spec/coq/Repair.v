(** Giving up cards: completability.md, "The repair distance". *)

From Coq Require Import List ZArith Lia Bool Sorted.
From Couperation Require Import Lists Cells Windows EarliestDeadline Tower Filling TowerTheorem Decide
  Position.
Import ListNotations.
Open Scope Z_scope.

Section Repair.

Variable P : position.
Hypothesis Al : allowed P = true.
Variable l : Z.
Hypothesis L : In l (places P).

(** "If a filling exists after giving up the cells X, then also after any Y that contains X: the cells of Y
    outside X take the numbers that lay there, which are available and located now." *)
Theorem giving_up_more : forall X Y, incl X Y -> completable (world P l X) -> completable (world P l Y).
Proof.
  intros X Y Inc (t & Up & Av & Di & A1 & A2 & A8 & Un).
  pose proof (world_valid P Al l X L) as VX. pose proof (world_valid P Al l Y L) as VY.
  assert (Less : forall p c, In (p, c) (kept P Y) -> In (p, c) (kept P X)).
  { intros p c I. apply in_kept in I. apply in_kept. split; [apply I |]. intros J. apply I, Inc, J. }
  exists t. split; [intros p c I; apply Up, Less, I |]. split; [| split; [exact Di |]; split; [exact A1 |];
    split; [exact A2 |]; split; [exact A8 |]].
  - intros p I N. destruct (in_dec cell_dec p (map fst (kept P X))) as [U | U].
    + (* the card that lay there *)
      apply in_map_iff in U. destruct U as ([q c] & E & U). simpl in E. subst q. rewrite (Up p c U).
      assert (U' := U). apply in_kept in U'. destruct U' as [U' _].
      destruct c as [v |]; cbn [is_available world available finish finish_gone].
      * pose proof (up_numbers _ VX p v U) as B. cbn [world top] in B. apply filter_In.
        split; [apply in_range; lia |].
        apply andb_true_iff. rewrite !negb_true_iff. split.
        -- destruct (memb v (numbers_of (seen_cards (gone P)))) eqn:G; trivial. exfalso.
           apply memb_true, in_numbers in G. apply (proj2 (laid_cards P Al) (Glass v)); trivial.
           apply (up_card_seen P p), U'.
        -- destruct (memb v (numbers_of (map snd (kept P Y)))) eqn:G; trivial. exfalso.
           apply memb_true, in_numbers, in_map_iff in G. destruct G as ([q c] & E & G). simpl in E. subst c.
           assert (q = p) by (apply (up_one_cell (world P l X) q p (Glass v) VX); [apply Less, G | exact U]).
           subst q. apply N. apply (in_map fst) in G. exact G.
      * exact (up_finish _ VX p U).
    + specialize (Av p I U). destruct (t p) as [v |]; cbn [is_available world available finish finish_gone]
        in *; trivial.
      rewrite filter_In, andb_true_iff, !negb_true_iff in *. destruct Av as (A & B & C).
      repeat split; trivial.
      destruct (memb v (numbers_of (map snd (kept P Y)))) eqn:G; trivial. exfalso.
      apply memb_true, in_numbers, in_map_iff in G. destruct G as ([q c] & E & G). simpl in E. subst c.
      assert (memb v (numbers_of (map snd (kept P X))) = true); [| congruence].
      apply memb_true, in_numbers, in_map_iff. exists (q, Glass v). auto.
  - eapply Nat.le_trans; [exact Un |]. cbn [world available located]. rewrite !Deficiency.count_filter.
    apply count_le. intros v _. change (used (world P l Y) t v) with (used (world P l X) t v).
    rewrite !andb_true_iff, !negb_true_iff. intros ((A & B) & C & D). repeat split; trivial.
    destruct (memb v (numbers_of (map snd (kept P Y)))) eqn:G; trivial. exfalso.
    apply memb_true, in_numbers, in_map_iff in G. destruct G as ([q c] & E & G). simpl in E. subst c.
    assert (memb v (numbers_of (map snd (kept P X))) = true); [| congruence].
    apply memb_true, in_numbers, in_map_iff. exists (q, Glass v). auto.
Qed.

(** * Conflicts *)

(** Cards that may be given up, whose giving up lets the tower be completed at the place. *)
Definition saves (X : list cell) : Prop := incl X (may_go P) /\ completable (world P l X).

Definition minus (M K : list cell) : list cell := filter (fun p => negb (among p K)) M.

Lemma in_minus : forall M K p, In p (minus M K) <-> In p M /\ ~ In p K.
Proof.
  intros M K p. unfold minus. rewrite filter_In, negb_true_iff, <- (among_true p K).
  destruct (among p K); intuition congruence.
Qed.

(** "A conflict is a set K of up cards that may be given up such that no filling exists even when all others
    of these are given up." *)
Definition conflict (K : list cell) : Prop :=
  incl K (may_go P) /\ ~ completable (world P l (minus (may_go P) K)).

Definition meets (X K : list cell) : Prop := exists c, In c X /\ In c K.

Lemma meets_dec : forall X K, meets X K \/ forall c, In c X -> ~ In c K.
Proof.
  intros X K. induction X as [| x X IH]; [right; intros c [] |].
  destruct (in_dec cell_dec x K) as [I | N]; [left; exists x; simpl; auto |].
  destruct IH as [(c & A & B) | IH]; [left; exists c; simpl; auto | right; intros c [<- | A]; auto].
Qed.

(** "If X misses K, the cards that stay contain K, and giving up more would not help either." *)
Lemma saving_meets : forall X K, saves X -> conflict K -> meets X K.
Proof.
  intros X K [Inc S] [_ C]. destruct (meets_dec X K) as [| N]; trivial. exfalso. apply C.
  apply giving_up_more with X; trivial. intros p I. apply in_minus. auto.
Qed.

(** "If X does not save it, the cards that X leaves are a conflict which X misses." *)
Lemma what_is_left : forall X, incl X (may_go P) -> ~ completable (world P l X) ->
  conflict (minus (may_go P) X) /\ ~ meets X (minus (may_go P) X).
Proof.
  intros X Inc N. split; [split |].
  - intros p I. apply in_minus in I. apply I.
  - intros C. apply N. revert C. apply giving_up_more. intros p I. apply in_minus in I. destruct I as [I J].
    destruct (in_dec cell_dec p X); trivial. exfalso. apply J, in_minus. auto.
  - intros (c & I & J). apply in_minus in J. tauto.
Qed.

(** "By the above a set X saves the tower if and only if X meets every conflict." *)
Theorem saves_iff_meets : forall X, incl X (may_go P) -> saves X <-> forall K, conflict K -> meets X K.
Proof.
  intros X Inc. split; [intros S K; apply saving_meets, S |]. intros M. split; trivial.
  destruct (completable_dec (world P l X) (world_valid P Al l X L)) as [| N]; trivial. exfalso.
  destruct (what_is_left X Inc N) as [C D]. apply D, M, C.
Qed.

(** "Why the result is least", and "Ties": whatever comes first, by size or by cells, among the sets that meet
    some conflicts comes first among all that save, if it saves. *)
Theorem first_that_meets : forall (comes_first : list cell -> list cell -> Prop) Ks X, Forall conflict Ks ->
  (forall Y, Forall (meets Y) Ks -> comes_first X Y) -> forall Y, saves Y -> comes_first X Y.
Proof.
  intros first Ks X C F Y S. apply F. apply Forall_forall. intros K I. rewrite Forall_forall in C.
  apply saving_meets; auto.
Qed.

(** "null is proved by a conflict without cards", and only where nothing saves. *)
Theorem null_iff : conflict [] <-> forall X, ~ saves X.
Proof.
  split.
  - intros C X S. destruct (saving_meets X [] S C) as (c & _ & []).
  - intros N. split; [intros p [] |]. intros C. apply (N (minus (may_go P) [])). split; trivial.
    intros p I. apply in_minus in I. apply I.
Qed.

(** * The Finish card *)

(** "F off the apex has to be given up": such a card is a conflict, without cells where it may not be given
    up. *)
Theorem stray_conflict : forall c, In (c, Finish) (ups P) -> c <> apex (rows (on P)) l ->
  conflict (if among c (may_go P) then [c] else []).
Proof.
  intros c I N. assert (St : forall X, ~ In c X -> ~ completable (world P l X)).
  { intros X NX C. apply (completable_iff_filling _ (world_valid P Al l X L)) in C. destruct C as (NS & _).
    apply (NS c). split; [apply in_kept; auto | exact N]. }
  destruct (among c (may_go P)) eqn:E; split.
  - intros p [<- | []]. apply among_true, E.
  - apply St. intros J. apply in_minus in J. destruct J as [_ J]. apply J. left. trivial.
  - intros p [].
  - apply St. intros J. apply in_minus in J. destruct J as [J _]. apply among_true in J. congruence.
Qed.

(** "With F gone there is none, and no repair." *)
Theorem gone_conflict : variant P = true -> gone_finish P = true -> conflict [].
Proof.
  intros F G. split; [intros p [] |]. intros C.
  apply (completable_iff_filling _ (world_valid P Al l _ L)) in C. destruct C as (_ & NG & _).
  cbn [world finish finish_gone] in NG. specialize (NG F). congruence.
Qed.

(** * Proofs that fewer will not do *)

(** "d pairwise disjoint conflicts: each needs a card of its own." *)
Theorem disjoint_bound : forall Ks X, Forall conflict Ks -> NoDup (concat Ks) -> saves X ->
  (length Ks <= length X)%nat.
Proof.
  intros Ks X C N S.
  assert (H : (length Ks <= count (fun c => among c (concat Ks)) X)%nat).
  { induction Ks as [| K Ks IH]; [apply Nat.le_0_l |]. inversion C as [| ? ? C1 C2]; subst.
    simpl in N. apply nodup_app_parts in N. destruct N as (_ & N & Dis). specialize (IH C2 N).
    destruct (saving_meets X K S C1) as (c & Xc & Kc).
    rewrite (count_split _ _ (fun c => among c K)). simpl length.
    apply (Nat.add_le_mono 1); [| eapply Nat.le_trans; [exact IH |]].
    - apply count_some with c; trivial. apply andb_true_iff. rewrite !among_true. simpl. rewrite in_app_iff.
      auto.
    - apply count_le. intros p _. rewrite andb_true_iff, negb_true_iff, !among_true. simpl.
      rewrite in_app_iff.
      intros I. split; [auto |]. destruct (among p K) eqn:E; trivial. apply among_true in E.
      destruct (Dis p E I). }
  eapply Nat.le_trans; [exact H |]. apply count_at_most.
Qed.

(** The tree: with the cards W given up, n more at most may be. "At the root a conflict; a saving set contains
    one of its cards, so there is a branch for each, and below it a conflict that avoids the cards on the way;
    at depth d - 1 a conflict still avoids all d - 1 cards given up." *)
Inductive closed : nat -> list cell -> Prop :=
  | closed_leaf : forall W K, conflict K -> ~ meets W K -> closed 0 W
  | closed_empty : forall n W, conflict [] -> closed n W
  | closed_node : forall n W K, conflict K -> ~ meets W K -> (forall c, In c K -> closed n (c :: W)) ->
      closed (S n) W.

Theorem tree_bound : forall n W, closed n W -> NoDup W -> forall X, incl W X -> saves X ->
  (n + length W < length X)%nat.
Proof.
  intros n W T. induction T as [W K C M | n W C | n W K C M _ IH]; intros N X Inc S.
  - destruct (saving_meets X K S C) as (c & Xc & Kc).
    assert (D : NoDup (c :: W)) by (constructor; trivial; intros I; apply M; exists c; auto).
    apply (NoDup_incl_length D). intros p [<- | I]; auto.
  - destruct (proj1 null_iff C X S).
  - destruct (saving_meets X K S C) as (c & Xc & Kc).
    assert (D : NoDup (c :: W)) by (constructor; trivial; intros I; apply M; exists c; auto).
    assert (I' : incl (c :: W) X) by (intros p [<- | I]; auto).
    specialize (IH c Kc D X I' S). simpl in IH. lia.
Qed.

(** "So no d - 1 cards meet all of them." *)
Corollary tree_bound_root : forall d X, closed d [] -> saves X -> (S d <= length X)%nat.
Proof.
  intros d X T S. pose proof (tree_bound d [] T (NoDup_nil _) X (incl_nil_l X) S). simpl in *. lia.
Qed.

(** Where no set of n cards saves, such a tree exists, each conflict being what the way leaves. *)
Theorem tree_exists : forall n W, incl W (may_go P) ->
  (forall X, saves X -> (n + length W < length X)%nat) -> closed n W.
Proof.
  induction n as [| n IH]; intros W Inc No;
    (assert (NS : ~ completable (world P l W)) by (intros C; specialize (No W (conj Inc C)); lia));
    destruct (what_is_left W Inc NS) as [C M].
  - apply closed_leaf with (minus (may_go P) W); trivial.
  - apply closed_node with (minus (may_go P) W); trivial. intros c I. apply in_minus in I. apply IH.
    + intros p [<- | J]; [apply I | auto].
    + intros X S. specialize (No X S). simpl. lia.
Qed.

(** So trees prove every lower bound that holds. *)
Corollary trees_suffice : forall d, (forall X, saves X -> (S d <= length X)%nat) <-> closed d [].
Proof.
  intros d. split.
  - intros H. apply tree_exists; [intros p [] |]. intros X S. specialize (H X S). simpl. lia.
  - intros H X S. apply (tree_bound_root d X H S).
Qed.

End Repair.

(** The fewest up cards that have to be given up, over all places; and that none will do. *)
Definition distance (P : position) (d : nat) : Prop :=
  (exists l X, In l (places P) /\ saves P l X /\ length X = d) /\
  (forall l X, In l (places P) -> saves P l X -> (d <= length X)%nat).

Definition beyond_repair (P : position) : Prop := forall l X, In l (places P) -> ~ saves P l X.

(** A tower with 30 on f1 beside 25 on g1: one card has to go. *)
Definition out_of_order : position :=
  Position printed false true Strict Strict Numbered NotAnchor
    [((6, 1), Some (Glass 25), true); ((5, 1), Some (Glass 30), true)] [] [] [] [].

Example out_of_order_worlds :
  allowed out_of_order = true /\ may_go out_of_order = [(5, 1)] /\ places out_of_order = [3] /\
  decide (world out_of_order 3 []) = false /\ decide (world out_of_order 3 [(5, 1)]) = true.
Proof. vm_compute. repeat split; reflexivity. Qed.
