(** Why the search need not know which cards are idle: search.md, "reserve", "Proof of the rule". *)

From Coq Require Import List ZArith Lia Bool Arith Permutation FinFun.
From Couperation Require Import Cells Table Account Owed Final OutOfReach OutOfOrder Counting Witness Untouched.
Import ListNotations.
Open Scope nat_scope.

Section Exchange.
  Variables a b : card.

  (** a in place of b, and b in place of a. *)
  Definition swap (c : card) : card := if card_dec c a then b else if card_dec c b then a else c.

  Lemma swap_twice : forall c, swap (swap c) = c.
  Proof. intros c. unfold swap. repeat (destruct (card_dec _ _); subst; try congruence). Qed.

  Lemma swap_other : forall c, c <> a -> c <> b -> swap c = c.
  Proof. intros c A B. unfold swap. destruct (card_dec c a), (card_dec c b); congruence. Qed.

  Lemma swap_none : forall l, ~ In a l -> ~ In b l -> map swap l = l.
  Proof.
    intros l A B. rewrite <- (map_id l) at 2. apply map_ext_in. intros c I. apply swap_other; congruence.
  Qed.

  Lemma swap_all : forall l, map swap (map swap l) = l.
  Proof. intros l. rewrite map_map, (map_ext _ id swap_twice). apply map_id. Qed.

  (** The two cards exchanged in the Reserve and among the gone cards, and among those trimmed. *)
  Definition exchange (s : table) : table :=
    Table (own s) (deck s) (laid_cards s) (map swap (reserve s)) (map swap (gone s)) (due s) (moved s)
      (no_draw s).

  Definition exchange_turn (t : turn) : turn := Turn (draw t) (act t) (fill t) (drop t) (map swap (trim t)).

  Definition exchange_desk (d : desk) : desk :=
    Desk (hand d) (tow d) (map swap (row d)) (map swap (out d)) (off d).

  Lemma exchange_twice : forall s, exchange (exchange s) = s.
  Proof. intros [o k w R G d m n]. unfold exchange. simpl. rewrite !swap_all. trivial. Qed.

  (** ** A turn that takes neither *)

  Definition free_of (l : list card) : Prop := ~ In a l /\ ~ In b l.

  Lemma does_exchanged : forall d x d', does d x d' -> free_of (hand d) ->
    (forall u v E l p o, x = D u v E l p o -> face l <> a /\ face l <> b) ->
    does (exchange_desk d) x (exchange_desk d').
  Proof.
    intros d x d' H [Fa Fb] T. unfold exchange_desk.
    assert (Paid : forall h h' R R' u v E l, Permutation h (u :: v :: E ++ h') -> ~ In a h -> ~ In b h ->
      face l <> a /\ face l <> b -> Permutation (u :: v :: R) (face l :: R') ->
      map swap E = E /\ Permutation (u :: v :: map swap R) (face l :: map swap R')).
    { intros h h' R R' u v E l P A B [La Lb] Q.
      assert (Sub : forall c, In c (u :: v :: E) -> In c h).
      { intros c I. apply (Permutation_in _ (Permutation_sym P)). simpl in *. rewrite in_app_iff. tauto. }
      assert (Other : forall c, In c (u :: v :: E) -> c <> a /\ c <> b)
        by (intros c I; apply Sub in I; split; congruence).
      split; [apply swap_none; intros I; [apply A | apply B]; apply Sub; simpl; auto |].
      apply (Permutation_map swap) in Q. simpl in Q. rewrite !swap_other in Q; trivial;
        apply Other; simpl; auto. }
    destruct H as [h h' W R G m c x P N | h h' W R G m c x P N | h W V R G m x c
      | h h' W R R' G m u v E l x P Q N | h h' W V R R' G m u v E l x old P Q | d]; simpl in *.
    - apply does_A; trivial.
    - apply does_B; trivial.
    - apply does_C.
    - destruct (Paid _ _ _ _ _ _ _ _ P Fa Fb (T _ _ _ _ _ _ eq_refl) Q) as [EE Q']. rewrite map_app, EE.
      apply does_D; trivial.
    - destruct (Paid _ _ _ _ _ _ _ _ P Fa Fb (T _ _ _ _ _ _ eq_refl) Q) as [EE Q']. rewrite map_app, EE.
      apply does_D_replacing; trivial.
    - apply does_nothing.
  Qed.

  (** The own cards after an action are own cards from before it, and the card that was replaced. *)
  Lemma does_hand : forall d x d', does d x d' -> forall c, In c (hand d') ->
    In c (hand d) \/ In c (faces (tow d)).
  Proof.
    intros d x d' H c I. destruct H as [h h' W R G m k y P N | h h' W R G m k y P N | h W V R G m y k
      | h h' W R R' G m u v E l y P Q N | h h' W V R R' G m u v E l y old P Q | d]; simpl in *; auto.
    - left. apply (Permutation_in _ (Permutation_sym P)). simpl. auto.
    - left. apply (Permutation_in _ (Permutation_sym P)). simpl. auto.
    - left. apply (Permutation_in _ (Permutation_sym P)). simpl. rewrite in_app_iff. auto.
    - destruct I as [<- | I].
      + right. unfold faces. rewrite map_app. apply in_or_app. simpl. auto.
      + left. apply (Permutation_in _ (Permutation_sym P)). simpl. rewrite in_app_iff. auto.
  Qed.

  (** Both lie in the Reserve or are gone. *)
  Definition both_out (s : table) : Prop := In a (reserve s ++ gone s) /\ In b (reserve s ++ gone s).

  Lemma out_once : forall s c, NoDup (all_cards s) -> In c (reserve s ++ gone s) ->
    ~ In c (concat (own s) ++ deck s ++ faces (laid_cards s)).
  Proof.
    intros s c N I J. apply (NoDup_count_occ card_dec) with (x := c) in N.
    fold (copies (all_cards s) c) in N. unfold all_cards in N. fold (faces (laid_cards s)) in N.
    rewrite !copies_app in N. apply (count_occ_In card_dec) in I, J.
    fold (copies (reserve s ++ gone s) c) in I.
    fold (copies (concat (own s) ++ deck s ++ faces (laid_cards s)) c) in J.
    rewrite !copies_app in I. rewrite !copies_app in J. lia.
  Qed.

  Lemma out_free : forall s l, NoDup (all_cards s) -> both_out s ->
    incl l (concat (own s) ++ deck s ++ faces (laid_cards s)) -> free_of l.
  Proof.
    intros s l N [A B] Inc. split; intros I; apply Inc in I; revert I; apply out_once; trivial.
  Qed.

  Definition takes_neither (t : turn) : Prop := taken t <> Some a /\ taken t <> Some b.

  (** The turn with the two exchanged leads from one such table to the other. *)
  Lemma played_exchanged : forall r s t s1, sound r s -> both_out s -> takes_neither t -> played r s t s1 ->
    played r (exchange s) (exchange_turn t) (exchange s1) /\ both_out s1.
  Proof.
    intros r s t s1 S Out [Na Nb] P. split.
    2: { destruct Out as [A B].
         split; [exact (turn_away _ _ _ _ P a A Na) | exact (turn_away _ _ _ _ P b B Nb)]. }
    destruct P as [before after h h' R' d O Lb K ND Do Lg Hd Tr O' W R G Mv Du].
    pose proof (out_free s) as Free. specialize (fun l => Free l (sound_cards _ _ S) Out).
    assert (Hand : incl (draw t ++ h) (concat (own s) ++ deck s ++ faces (laid_cards s))).
    { intros c I. rewrite O, K, concat_app. simpl. rewrite !in_app_iff in *. tauto. }
    assert (Drop : map swap (drop t) = drop t).
    { assert (Fr : free_of (drop t)); [| destruct Fr; apply swap_none; trivial]. apply Free. intros c I.
      assert (J : In c (fill t ++ hand d))
        by (apply (Permutation_in _ (Permutation_sym Hd)), in_or_app; auto).
      apply in_app_or in J. destruct J as [J | J]; [rewrite K, !in_app_iff; auto |].
      destruct (does_hand _ _ _ Do c J) as [Q | Q]; [apply Hand, Q |]. rewrite !in_app_iff. auto. }
    apply (plays r (exchange s) (exchange_turn t) (exchange s1) before after h h' (map swap R')
      (exchange_desk d)); try assumption.
    - apply (does_exchanged _ _ _ Do); [apply Free, Hand |]. intros u v E l p o Ea. unfold taken in Na, Nb.
      rewrite Ea in Na, Nb. split; congruence.
    - apply (Permutation_map swap) in Tr. rewrite map_app in Tr. exact Tr.
    - simpl. rewrite R. trivial.
    - simpl. rewrite G, !map_app, Drop. trivial.
  Qed.

  Lemma run_exchanged : forall r s ts s', run r s ts s' -> sound r s -> both_out s ->
    (forall t, In t ts -> takes_neither t) -> run r (exchange s) (map exchange_turn ts) (exchange s').
  Proof.
    intros r s ts s' R. induction R as [s | s t s1 ts s2 P N R IH]; intros S Out T; simpl; [constructor |].
    destruct (played_exchanged r s t s1 S Out (T t (or_introl eq_refl)) P) as [P' Out1].
    apply run_turn with (exchange s1); trivial. apply IH; trivial; [eapply turn_sound; eauto |].
    intros u U. apply T. right. trivial.
  Qed.

  Lemma run_both_out : forall r s ts s', run r s ts s' -> both_out s ->
    (forall t, In t ts -> takes_neither t) -> both_out s'.
  Proof.
    intros r s ts s' R. induction R as [s | s t s1 ts s2 P N R IH]; intros [A B] T; [split; trivial |].
    destruct (T t (or_introl eq_refl)) as [Na Nb].
    apply IH; [split; [exact (turn_away _ _ _ _ P a A Na) | exact (turn_away _ _ _ _ P b B Nb)] |].
    intros u U. apply T. right. trivial.
  Qed.

  Lemma wins_exchanged : forall r s ts s', sound r s -> both_out s ->
    (forall t, In t ts -> takes_neither t) -> wins r s ts s' ->
    wins r (exchange s) (map exchange_turn ts) (exchange s').
  Proof.
    intros r s ts s' S Out T (bf & t & s1 & -> & R & P & N & Wn). rewrite map_app.
    assert (T1 : forall u, In u bf -> takes_neither u) by (intros u U; apply T, in_or_app; auto).
    assert (Tt : takes_neither t) by (apply T, in_or_app; simpl; auto).
    exists (map exchange_turn bf), (exchange_turn t), (exchange s1). split; [trivial |].
    split; [exact (run_exchanged _ _ _ _ R S Out T1) |].
    pose proof (run_both_out _ _ _ _ R Out T1) as Out1.
    destruct (played_exchanged r s1 t s' (run_sound _ _ _ _ R S) Out1 Tt P) as [P' _]. auto.
  Qed.

  (** The table with the two exchanged is one that can come about, too. *)
  Lemma swap_in : forall l c, In c (map swap l) <-> In (swap c) l.
  Proof.
    intros l c. rewrite in_map_iff. split.
    - intros (d & <- & I). rewrite swap_twice. exact I.
    - intros I. exists (swap c). rewrite swap_twice. auto.
  Qed.

  Lemma exchange_cards : forall s, NoDup (all_cards s) -> both_out s ->
    all_cards (exchange s) = map swap (all_cards s).
  Proof.
    intros s N Out. unfold all_cards at 2. rewrite !map_app.
    assert (Fr : free_of (concat (own s) ++ deck s ++ faces (laid_cards s)))
      by (apply (out_free s); trivial; apply incl_refl).
    assert (Part : forall l, incl l (concat (own s) ++ deck s ++ faces (laid_cards s)) -> map swap l = l).
    { intros l I. destruct Fr as [A B]. apply swap_none; intros J; [apply A | apply B]; apply I, J. }
    unfold faces in Part. rewrite (Part (concat (own s))), (Part (deck s)),
      (Part (map (fun e => face (snd e)) (laid_cards s))); trivial; intros c I; rewrite !in_app_iff; auto.
  Qed.

  Lemma exchange_sound : forall r s, sound r s -> both_out s -> a <> F -> b <> F -> sound r (exchange s).
  Proof.
    intros r s S Out NA NB. pose proof S as [N1 N2 P Ap Bk Nu Va].
    pose proof (exchange_cards s N1 Out) as E.
    assert (All : forall c, In c (all_cards (exchange s)) -> In (swap c) (all_cards s))
      by (intros c I; rewrite E in I; apply swap_in, I).
    assert (Out' : forall c, In c (reserve s ++ gone s) -> In c (all_cards s)).
    { intros c I. unfold all_cards. rewrite !in_app_iff in *. tauto. }
    assert (Same : forall c, In (swap c) (all_cards s) -> In c (all_cards s)).
    { intros c I. unfold swap in I. destruct Out as [A B].
      destruct (card_dec c a) as [-> |]; [apply Out', A |].
      destruct (card_dec c b) as [-> |]; [apply Out', B | exact I]. }
    split; trivial; simpl.
    - rewrite E. apply Injective_map_NoDup; trivial. intros c d Q. apply (f_equal swap) in Q.
      rewrite !swap_twice in Q. exact Q.
    - intros v I. apply Nu, Same, All, I.
    - intros V I. apply (Va V), Same, All, I.
  Qed.
End Exchange.

(** A gone card is never taken. *)
Lemma gone_not_taken : forall r s ts s' c, sound r s -> run r s ts s' -> In c (gone s) ->
  forall t, In t ts -> taken t <> Some c.
Proof.
  intros r s ts s' c S R G t I T. destruct (In_nth_error _ _ I) as (i & E).
  destruct (run_played _ _ _ _ i t R E) as (s1 & s2 & R1 & P & _).
  pose proof (sound_cards _ _ (run_sound _ _ _ _ R1 S)) as N. apply (run_gone _ _ _ _ R1) in G.
  pose proof (taken_from _ _ _ _ _ P T) as J.
  apply (NoDup_count_occ card_dec) with (x := c) in N. fold (copies (all_cards s1) c) in N.
  unfold all_cards in N. rewrite !copies_app in N. apply (count_occ_In card_dec) in G, J.
  fold (copies (gone s1) c) in G. fold (copies (concat (own s1) ++ deck s1 ++ reserve s1) c) in J.
  rewrite !copies_app in J. lia.
Qed.

(** "So exchanging them for others that are idle makes continuations that win into such": here one idle card
    for a gone card, where c is the slack. *)
Theorem idle_exchanged : forall r s c x y ts s', sound r s -> least_price r s c -> Z.of_nat c = spare s ->
  idle r s c x -> In y (gone s) -> wins r s ts s' ->
  wins r (exchange (Glass x) y s) (map (exchange_turn (Glass x) y) ts) (exchange (Glass x) y s').
Proof.
  intros r s c x y ts s' S Least Slack Idle G W. apply wins_exchanged; trivial.
  - split; apply in_or_app; [left; apply Idle | right; exact G].
  - intros t I. split.
    + exact (idle_not_taken r s c x ts s' S Least Idle Slack W t I).
    + exact (gone_not_taken r s ts s' y S (wins_run _ _ _ _ W) G t I).
Qed.

(** "A position stands for all those that differ from it only in which numbers its idle cards have": of two
    such tables both are dead or none is. *)
Theorem idle_alike : forall r s c x y, let s' := exchange (Glass x) (Glass y) s in
  sound r s -> Z.of_nat c = spare s -> In (Glass y) (gone s) ->
  least_price r s c -> idle r s c x -> least_price r s' c -> idle r s' c y -> dead r s <-> dead r s'.
Proof.
  intros r s c x y s' S Slack G Least Idle Least' Idle'.
  assert (Out : both_out (Glass x) (Glass y) s)
    by (split; apply in_or_app; [left; apply Idle | right; exact G]).
  assert (S' : sound r s') by (apply exchange_sound; trivial; discriminate).
  split; intros D ts z W.
  - assert (G' : In (Glass x) (gone s')).
    { unfold s'. simpl. apply swap_in. unfold swap.
      destruct (card_dec (Glass x) (Glass x)); [exact G | tauto]. }
    assert (Same : forall k, swap (Glass y) (Glass x) k = swap (Glass x) (Glass y) k).
    { intros k. unfold swap. repeat (destruct (card_dec _ _); subst; try congruence). }
    pose proof (idle_exchanged r s' c y (Glass x) ts z S' Least' Slack Idle' G' W) as W'.
    assert (Back : exchange (Glass y) (Glass x) s' = s).
    { unfold s'. rewrite <- (exchange_twice (Glass x) (Glass y) s) at 2. unfold exchange. simpl.
      f_equal; apply map_ext, Same. }
    rewrite Back in W'. exact (D _ _ W').
  - exact (D _ _ (idle_exchanged r s c x (Glass y) ts z S Least Slack Idle G W)).
Qed.

(** * Which cards are trimmed *)

(** A table whose Reserve is trimmed to the cards K. *)
Definition trimmed (s : table) (K Tm : list card) : table :=
  Table (own s) (deck s) (laid_cards s) K (Tm ++ gone s) (due s) (moved s) (no_draw s).

Section Trim.
  Variables (r : rulings) (s : table) (K Tm : list card).
  Hypothesis S : sound r s.
  Hypothesis Parts : Permutation (reserve s) (Tm ++ K).

  Lemma trimmed_cards : Permutation (all_cards s) (all_cards (trimmed s K Tm)).
  Proof.
    apply same_copies. intros c. apply copies_same with (c := c) in Parts. rewrite copies_app in Parts.
    unfold all_cards. simpl. rewrite !copies_app. lia.
  Qed.

  Lemma trimmed_sound : sound r (trimmed s K Tm).
  Proof.
    pose proof trimmed_cards as Pm. destruct S as [N1 N2 P Ap Bk Nu Va]. split; trivial.
    - exact (Permutation_NoDup Pm N1).
    - intros v I. apply Nu. exact (Permutation_in _ (Permutation_sym Pm) I).
    - intros V I. apply (Va V). exact (Permutation_in _ (Permutation_sym Pm) I).
  Qed.

  (** "A trim makes no price less": what can still be had costs what it did. *)
  Lemma trimmed_costs : forall T n, costs r (trimmed s K Tm) T n -> costs r s T n.
  Proof.
    intros T n ([F1 F2 F3 F4 F5 F6 F7 F8 F9] & Hp & <-). split; [split; trivial |].
    - intros c I. destruct (F9 c I) as [A G]. split.
      + exact (Permutation_in _ (Permutation_sym trimmed_cards) A).
      + intros J. apply G. simpl. apply in_or_app. auto.
    - split; [exact Hp |]. unfold tower_price.
      assert (Each : forall e, In e T -> price r true s e = price r true (trimmed s K Tm) e).
      { intros e I. assert (C : In (face (snd e)) (faces T)) by exact (in_map (fun e => face (snd e)) _ _ I).
        destruct (F9 _ C) as [_ G]. unfold price. cbn [trimmed laid_cards reserve].
        destruct (at_cell (laid_cards s) (fst e)); trivial.
        assert (E : holds (reserve s) (face (snd e)) = holds K (face (snd e))); [| rewrite E; trivial].
        apply eq_true_iff_eq. rewrite !holds_true. split; intros J.
        - apply (Permutation_in _ Parts), in_app_or in J. destruct J as [J | J]; trivial.
          exfalso. apply G. simpl. apply in_or_app. auto.
        - apply (Permutation_in _ (Permutation_sym Parts)), in_or_app. auto. }
      clear - Each. induction T as [| e T IH]; simpl; trivial. rewrite Each by (simpl; auto). f_equal.
      apply IH. intros d I. apply Each. simpl. auto.
  Qed.

  (** "So a position after it is tight with the same c or lost, and what is idle in U is idle there." *)
  Lemma trimmed_least : forall c, least_price r s c -> least_price r (trimmed s K Tm) c.
  Proof. intros c H T n C. exact (H T n (trimmed_costs T n C)). Qed.

  Lemma trimmed_idle : forall c v, idle r s c v -> In (Glass v) K -> idle r (trimmed s K Tm) c v.
  Proof. intros c v [_ H] I. split; [exact I |]. intros T n C. exact (H T n (trimmed_costs T n C)). Qed.

  (** "Let a trim keep an idle card b and destroy another card x. What wins from there never takes b. It wins
      as well where b is destroyed and x is kept in its place." *)
  Theorem idle_trimmed_first : forall c b x ts z, least_price r s c -> Z.of_nat c = spare s -> idle r s c b ->
    In (Glass b) K -> In x Tm -> wins r (trimmed s K Tm) ts z ->
    wins r (trimmed s (map (swap (Glass b) x) K) (map (swap (Glass b) x) Tm))
      (map (exchange_turn (Glass b) x) ts) (exchange (Glass b) x z).
  Proof.
    intros c b x ts z Least Slack Idle Kb Tx W.
    assert (E : trimmed s (map (swap (Glass b) x) K) (map (swap (Glass b) x) Tm) =
      exchange (Glass b) x (trimmed s K Tm)).
    { unfold trimmed, exchange. simpl. f_equal. rewrite map_app. f_equal. symmetry.
      assert (No : forall d, In d (Tm ++ K) -> ~ In d (gone s)).
      { intros d I J. apply (Permutation_in _ (Permutation_sym Parts)) in I.
        pose proof (sound_cards _ _ S) as N. apply (NoDup_count_occ card_dec) with (x := d) in N.
        fold (copies (all_cards s) d) in N. unfold all_cards in N. rewrite !copies_app in N.
        apply (count_occ_In card_dec) in I, J. fold (copies (reserve s) d) in I.
        fold (copies (gone s) d) in J. lia. }
      apply swap_none; apply No, in_or_app; auto. }
    rewrite E. apply (idle_exchanged r (trimmed s K Tm) c b x ts z trimmed_sound); trivial.
    - apply trimmed_least, Least.
    - apply trimmed_idle; trivial.
    - simpl. apply in_or_app. auto.
  Qed.
End Trim.

(** On the table of Witness.v: 45 of the Reserve for 29, which is gone. *)
Example exchange_example : let s := exchange (Glass 45) (Glass 29) last_turn in
  reserve s = map Glass (29 :: range 46 5)%Z /\ gone s = map Glass (45 :: range 30 15)%Z.
Proof. vm_compute. auto. Qed.

Example exchanged_wins : wins base (exchange (Glass 45) (Glass 29) last_turn)
  (map (exchange_turn (Glass 45) (Glass 29)) [lays_apex]) (exchange (Glass 45) (Glass 29) won_table).
Proof.
  destruct idle_met as (Least & Idle & Slack & W). apply (idle_exchanged base last_turn 0); trivial.
  - apply last_turn_sound.
  - vm_compute. auto.
Qed.
