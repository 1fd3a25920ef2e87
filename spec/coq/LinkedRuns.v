(** Legal turns of the printed formulas, one after the other: each card stays in one place, and the account
    holds (step.md, "What stays true"; table.md, Lemma 1). *)

From Coq Require Import String List ZArith Lia Bool Permutation.
From Couperation Require Import FormulaPrelude FormulaLemmas Formulas Judge Linked LinkedActions LinkedTurns.
From Couperation Require Account.
Import ListNotations.
Open Scope Z_scope.

(** * All cards of a table *)

Definition hands_of (hands : list (Z * list Card)) : list Card := concat (map snd hands).

(** S: the cards of the hands, in front and in the deck. *)
Definition cards_left (s : State) : list Card := hands_of (H s) ++ in_front (f s) ++ K s.

Definition all_cards (s : State) : list Card := cards_left s ++ faces_of (W s) ++ R s ++ G s.

(** Each card is in one place, F in no hand; a player has one hand, and a cell one card. *)
Record well_placed (s : State) : Prop := {
  everywhere : NoDup (all_cards s);
  no_F_in_hands : ~ In F (hands_of (H s));
  players_once : NoDup (dom (H s));
  cells_once : NoDup (dom (W s))
}.

Lemma hands_app : forall l m, hands_of (l ++ m) = hands_of l ++ hands_of m.
Proof. intros. unfold hands_of. rewrite map_app, concat_app. trivial. Qed.

Section Turn.
  Variables (now : Now) (q : Z) (h : list Card).
  Hypothesis placed_well : well_placed now.
  Hypothesis the_player : p now = Some q.
  Hypothesis the_hand : look (H now) q = Some h.
  Hypothesis right : cards_right now.

  (** The hands of the others. *)
  Let rem : list (Z * list Card) := map_without (H now) [q].

  Lemma hands_split : Permutation (hands_of (H now)) (hands_of rem ++ h) /\ NoDup (dom rem) /\ ~ In q (dom
    rem).
  Proof.
    destruct (look_split _ _ _ _ _ the_hand (players_once _ placed_well)) as (l & r & E & M).
    pose proof (players_once _ placed_well) as N. unfold rem. rewrite M. rewrite E in N |- *.
    unfold dom in *. rewrite map_app in *. cbn [map fst] in N. split; [| split].
    - rewrite !hands_app. unfold hands_of at 2. cbn [map snd concat]. fold (hands_of r).
      rewrite <- app_assoc. apply Permutation_app_head, Permutation_app_comm.
    - exact (NoDup_remove_1 _ _ _ N).
    - exact (NoDup_remove_2 _ _ _ N).
  Qed.

  Lemma at_the_table : about_to_draw now q h.
  Proof.
    destruct hands_split as (P & _). pose proof (everywhere _ placed_well) as N.
    unfold all_cards, cards_left in N. split; trivial.
    - apply (app_once (hands_of rem)). refine (Permutation_NoDup _ N). rewrite <- !app_assoc.
      rewrite (app_assoc (hands_of rem)). apply Permutation_app_tail. exact P.
    - intros I. apply (no_F_in_hands _ placed_well). apply (Permutation_in F (Permutation_sym P)).
      apply in_or_app. tauto.
    - apply cells_once, placed_well.
  Qed.

  Let hand' : list Card := without (hand3 now h) (without (placed now) (at_hand now)).

  (** What the others have is where it was. *)
  Lemma others_keep : forall c, In c (hands_of rem) -> ~ In c (placed now).
  Proof.
    intros c I J. destruct hands_split as (P & _). pose proof (everywhere _ placed_well) as N.
    unfold all_cards, cards_left in N.
    destruct (moved_cards now q h at_the_table right) as (rest & E & M & _).
    assert (N' : NoDup (hands_of rem ++ own_cards (hand2 now h) (f2 now) q ++ fill now ++ rest ++
      faces_of (W2 now) ++ R2 now ++ G2 now ++ in_front_of_others (f now) q)).
    { refine (Permutation_NoDup _ N). rewrite copies_same in *. intros x. specialize (P x). specialize (M x).
      rewrite !copies_app in *. lia. }
    apply app_once in N'. destruct N' as (_ & _ & D). apply (D c I).
    assert (O : In c (own_cards (hand3 now h) (f3 now) q) ->
      In c (own_cards (hand2 now h) (f2 now) q ++ fill now)).
    { apply Permutation_in, Permutation_sym, fill_joins; trivial. apply at_the_table. }
    rewrite !in_app_iff in *.
    destruct (placed_lies now q h at_the_table right c J) as [[_ V] | [[_ V] | [[_ V] | [[_ V] | [[_ V] | [_
      V]]]]]];
      try apply O in V; tauto.
  Qed.

  (** The hands after the turn. *)
  Lemma hands_after : H' now = rem ++ [(q, hand')].
  Proof.
    destruct hands_split as (_ & N & I).
    assert (H3_is : H3 now = rem ++ [(q, hand3 now h)]).
    { assert (twice : forall x y, over (rem ++ [(q, x)]) [(q, y)] = rem ++ [(q, y)]).
      { intros x y. unfold over. cbn [dom map fst]. unfold map_without. rewrite filter_app.
        fold (map_without rem [q]). rewrite (without_new_key _ _ rem q I). simpl. rewrite Z.eqb_refl. simpl.
        rewrite app_nil_r. trivial. }
      pose proof (hand_after_draw now q h at_the_table (top now right)) as A1.
      pose proof (hand_after_action now q h at_the_table (top now right)) as A2.
      assert (E1 : H1 now = rem ++ [(q, hand1 now h)]).
      { unfold H1. rewrite the_player. cbn [bind]. rewrite the_hand. cbn [bind kept].
        rewrite (drawn_is now q h at_the_table (top now right)). reflexivity. }
      assert (E2 : H2 now = rem ++ [(q, hand2 now h)]).
      { unfold H2. rewrite the_player. cbn [bind]. rewrite A1. cbn [bind kept]. rewrite E1. apply twice. }
      unfold H3. rewrite the_player. cbn [bind]. rewrite A2. cbn [bind kept]. rewrite E2.
      rewrite (filled_is now q h at_the_table right). apply twice. }
    unfold H'. cbv zeta. rewrite H3_is, the_player. cbn [bind holds].
    pose (change := fun i v => without v (without (placed now) (if same i q then at_hand now else members
      []))).
    replace (each (dom (rem ++ [(q, hand3 now h)])) _) with
      (each (dom (rem ++ [(q, hand3 now h)])) (fun i => if true then kept (let? v := look (rem ++ [(q,
        hand3 now h)]) i
        in Some (i, change i v)) else [])).
    - rewrite (all_kept _ _ _ (fun _ => true) change); trivial.
      + rewrite map_app. simpl. unfold change at 2. rewrite same_refl. f_equal.
        rewrite <- (map_id rem) at 2. apply map_ext_in. intros [i v] J. simpl. f_equal. unfold change.
        destruct (same_spec i q) as [-> | Ne].
        * exfalso. apply I. change q with (fst (q, v)). apply in_map. trivial.
        * apply without_all. intros c C D. apply without_in in D. destruct D as [D _].
          apply (others_keep c); trivial. unfold hands_of. apply in_concat. exists v. split; trivial.
          change v with (snd (i, v)). apply in_map. trivial.
      + unfold dom in *. rewrite map_app. apply once_app; trivial; [repeat constructor; simpl; tauto |].
        simpl. intros x A [<- | []]. tauto.
    - unfold each. apply flat_map_ext. intros i. unfold change. destruct (look _ i); trivial.
  Qed.

  Let table : about_to_draw now q h := at_the_table.

  Lemma hand3_once : NoDup (hand3 now h) /\ ~ In F (hand3 now h).
  Proof.
    destruct (apart now q h table right) as (rest & _ & N). apply app_once in N. destruct N as (N & _).
    unfold own_cards in N. apply app_once in N. split; [apply N |].
    destruct (hand2_once now q h table right) as [_ NF]. unfold hand3. rewrite union_in, without_in. simpl.
    tauto.
  Qed.

  (** The hand loses what is dropped. *)
  Lemma hand_loses : Permutation (hand3 now h) (drop now ++ hand').
  Proof.
    destruct hand3_once as [N NF]. destruct (drops now q h table right) as [D I]. apply same_members; trivial.
    - apply once_app; trivial; [apply without_once; trivial |]. intros c J K. unfold hand' in K.
      apply without_in in K. destruct K as [_ K]. apply K. apply without_in.
      assert (A : In c (at_gone now)) by (apply at_gone_in; tauto).
      split; [apply placed_in; trivial; tauto |]. intros B. apply (at_hand_in now q h table right) in B.
      tauto.
    - intros c. rewrite in_app_iff. unfold hand'. rewrite !without_in.
      destruct (in_dec dec c (drop now)) as [J | J]; [specialize (I c J); tauto |].
      split; [| tauto]. intros A. right. split; trivial. intros [B C].
      assert (O : In c (own_cards (hand3 now h) (f3 now) q)) by (apply own_in; tauto).
      destruct (one_place now q h table right) as (rest & _ & U). destruct (U c) as (V & _). specialize (V O).
      destruct (placed_lies now q h table right c B) as [[X _] | [[X _] | [[_ X] | [[_ X] | [[_ X] | [_
        X]]]]]]; tauto.
  Qed.

  Lemma reserve_loses : Permutation (R2 now) (trim now ++ R' now).
  Proof.
    destruct (trims now right) as [N I]. destruct (apart now q h table right) as (rest & _ & M).
    do 3 (apply app_once in M; destruct M as (_ & M & _)). apply app_once in M. destruct M as (M & _).
    apply same_members; trivial.
    - apply once_app; trivial; [unfold R'; apply without_once; trivial |]. intros c J K.
      apply (reserve_after now q h table right) in K. tauto.
    - intros c. rewrite in_app_iff, (reserve_after now q h table right).
      destruct (in_dec dec c (trim now)) as [J | J]; [specialize (I c J) |]; tauto.
  Qed.

  Lemma gone_grows : Permutation (G' now) (trim now ++ drop now ++ G2 now).
  Proof.
    destruct (trims now right) as [N I]. destruct (drops now q h table right) as [D J].
    destruct (one_place now q h table right) as (rest & _ & U).
    destruct (apart now q h table right) as (deck & _ & M).
    do 4 (apply app_once in M; destruct M as (_ & M & _)). apply app_once in M. destruct M as (M & _).
    assert (X : forall c, In c (drop now) -> ~ In c (R2 now) /\ ~ In c (G2 now)).
    { intros c K. destruct (U c) as (V & _). apply J in K.
      assert (O : In c (own_cards (hand3 now h) (f3 now) q)) by (apply own_in; tauto). apply V in O. tauto. }
    assert (Y : forall c, In c (trim now) -> ~ In c (G2 now)).
    { intros c K. destruct (U c) as (_ & _ & _ & V & _). apply I in K. apply V in K. tauto. }
    apply same_members.
    - unfold G'. apply without_once, union_once; trivial. unfold dropped.
      apply union_once; apply members_nodup.
    - apply once_app; trivial; [apply once_app; trivial; intros c K L; apply X in K; tauto |].
      intros c K L. apply in_app_or in L. destruct L as [L | L]; [| apply Y in K; tauto].
      apply X in L. specialize (I c K). tauto.
    - intros c. rewrite !in_app_iff, (gone_after now q h table right). tauto.
  Qed.

  (** F is in front of another player after the turn if it was before. *)
  Lemma front_of_others_stays : in_front_of_others (f3 now) q = in_front_of_others (f now) q.
  Proof.
    destruct (one_place now q h table right) as (rest & _ & U). destruct (U F) as (V & _).
    destruct (where_they_lie now q h table right F) as (_ & _ & _ & _ & _ & _ & _ & A & B).
    destruct (drawn_once now q h table (top now right)) as (_ & _ & _ & C).
    pose proof (front_after_draw now q h table (top now right)) as E1.
    assert (E3 : f3 now = if mem F (fill now) then Some q else f2 now).
    { unfold f3. rewrite (filled_is now q h table right), the_player. trivial. }
    assert (E2 : f2 now = f1 now \/ f2 now = None /\ in_front_of_others (f1 now) q = [] \/
      f2 now = Some q /\ In F (gained now)).
    { unfold f2. rewrite the_player. destruct (mem F (gained now)) eqn:M; [apply mem_in in M; auto |].
      destruct (f1 now) as [g |]; cbn [bind holds].
      - destruct (same g q) eqn:S; cbn [negb]; [| auto]. destruct (mem F (leaving now)); cbn [negb]; [| auto].
        right. left. split; trivial. unfold in_front_of_others. rewrite S. trivial.
      - destruct (mem F (leaving now)); cbn [negb]; auto. }
    assert (other : forall g, f now = Some g -> same g q = false ->
      ~ In F (own_cards (hand3 now h) (f3 now) q) /\ ~ In F (d now)).
    { intros g E S. split; [| apply C; congruence]. intros O. apply V in O.
      unfold in_front_of_others in O. rewrite E, S in O. simpl in O. tauto. }
    rewrite E3. destruct (f now) as [g |] eqn:E0.
    - destruct (same g q) eqn:S.
      + apply (proj1 (same_true _ _)) in S. subst g.
        assert (Z0 : in_front_of_others (Some q) q = []) by (unfold in_front_of_others; rewrite same_refl;
          trivial).
        rewrite Z0. destruct (mem F (fill now)); trivial.
        assert (f1 now = Some q) as F1 by (rewrite E1; destruct (mem F (d now)); trivial).
        destruct E2 as [-> | [[-> _] | [-> _]]]; rewrite ?F1; trivial.
      + destruct (other g eq_refl S) as [O D]. rewrite (proj2 (mem_out _ _) D) in E1.
        assert (~ In F (fill now)) as Fi by tauto. rewrite (proj2 (mem_out _ _) Fi).
        destruct E2 as [-> | [[_ T] | [_ T]]]; [rewrite E1; trivial | | tauto].
        rewrite E1 in T. unfold in_front_of_others in T. rewrite S in T. discriminate.
    - assert (Z0 : in_front_of_others (Some q) q = []) by (unfold in_front_of_others; rewrite same_refl;
      trivial).
      destruct (mem F (fill now)); [exact Z0 |].
      destruct E2 as [-> | [[-> _] | [-> _]]]; trivial. rewrite E1. destruct (mem F (d now)); trivial.
  Qed.

  (** A legal turn moves cards, and neither makes nor loses one: "each card is in one place". *)
  Theorem turn_keeps : Permutation (all_cards now) (all_cards (after now)).
  Proof.
    destruct hands_split as (P & _).
    destruct (moved_cards now q h table right) as (rest & E & M & _).
    pose proof (deck_after now q h table right) as K_. assert (rest = K' now) as ->.
    { rewrite E in K_. apply app_inv_head, app_inv_head in K_. trivial. }
    pose proof (fill_joins now q h table right) as Fi. pose proof hand_loses as L.
    pose proof reserve_loses as Re.
    pose proof gone_grows as Go. pose proof (front_parts (hand3 now h) (f3 now) q) as Fr.
    rewrite front_of_others_stays in Fr.
    unfold all_cards, cards_left. cbn [after its_state W H f R G K].
    rewrite hands_after, (front_after now q h table right), (tower_after now q h table right), hands_app.
    unfold hands_of at 3. cbn [map snd concat]. rewrite app_nil_r.
    rewrite copies_same in *. intros c. specialize (P c). specialize (M c). specialize (Fi c).
    specialize (L c).
    specialize (Re c). specialize (Go c). specialize (Fr c). rewrite !copies_app in *. lia.
  Qed.

  Theorem stays_well_placed : well_placed (after now).
  Proof.
    destruct hands_split as (_ & N & I). split.
    - refine (Permutation_NoDup turn_keeps _). apply everywhere, placed_well.
    - cbn [after its_state H]. rewrite hands_after, hands_app, in_app_iff. unfold hands_of at 2.
      cbn [map snd concat]. rewrite app_nil_r. unfold hand'. rewrite without_in.
      destruct hand3_once as [_ NF]. intros [J | J]; [| tauto]. apply (no_F_in_hands _ placed_well).
      destruct hands_split as (P & _). apply (Permutation_in F (Permutation_sym P)). apply in_or_app. tauto.
    - cbn [after its_state H]. rewrite hands_after. unfold dom in *. rewrite map_app.
      apply once_app; trivial; [repeat constructor; simpl; tauto |]. simpl. intros x A [<- | []]. tauto.
    - cbn [after its_state W]. rewrite (tower_after now q h table right).
      pose proof (cells_once _ placed_well) as C.
      unfold W2, target, lies. destruct (a now); simpl; trivial; apply over_once; trivial.
  Qed.

  (** What S falls by in a legal turn. *)
  Theorem turn_counts : (length (cards_left now) + length (W now) =
    length (cards_left (after now)) + length (W (after now)) + Account.is_D (action_of now) +
    Account.spent (action_of now) + length (drop now))%nat.
  Proof.
    destruct hands_split as (P & _). pose proof right as [Q [S _]].
    do 8 (inversion Q as [| ? ? ?E Q']; subst; clear Q; rename Q' into Q).
    pose proof (action_counts now q h table S) as A. do 8 (specialize (A ltac:(assumption))).
    rewrite (own_before now q h table), (own_after now q h table (top now right)) in A.
    pose proof (deck_after now q h table right) as K_. pose proof (fill_joins now q h table right) as Fi.
    pose proof hand_loses as L. pose proof (front_parts h (f now) q) as F0.
    pose proof (front_parts (hand3 now h) (f3 now) q) as Fr. rewrite front_of_others_stays in Fr.
    apply Permutation_length in P. apply Permutation_length in Fi. apply Permutation_length in L.
    apply Permutation_length in F0. apply Permutation_length in Fr.
    unfold cards_left. cbn [after its_state W H f K].
    rewrite hands_after, (front_after now q h table right), (tower_after now q h table right), hands_app.
    unfold hands_of at 3. cbn [map snd concat]. rewrite app_nil_r.
    rewrite K_ at 1. rewrite !app_length in *. lia.
  Qed.
End Turn.

(** * Turns, one after the other *)

(** A turn that breaks no clause of those that a move of cards hangs on, by a player who has a hand. *)
Definition legal_turn (now : Now) : Prop :=
  cards_right now /\ exists q h, p now = Some q /\ look (H now) q = Some h.

(** Every turn that breaks no clause is one, while the game goes on. *)
Lemma unbroken_legal : forall now q h, failing now (asked now) = [] -> result now = Going ->
  In (name now) (players now) -> levels now = 7 -> 0 < t now -> p now = Some q -> look (H now) q = Some h ->
  legal_turn now.
Proof.
  intros now q h B E N L T P Q. split; [| eauto]. split; [| auto].
  assert (A : forall clause, In clause (asked now) ->
    holds (let? c := look clauses clause in Some (c now)) = true).
  { intros clause I. destruct (holds _) eqn:M; trivial. exfalso.
    assert (J : In clause (failing now (asked now))) by (apply filter_In; rewrite M; auto).
    rewrite B in J. exact J. }
  unfold asked in A. rewrite E, (proj2 (mem_in _ _) N) in A. cbn [negb same Result_eq same_Result] in A.
  repeat constructor.
  - apply (A "DRW05"%string). simpl. tauto.
  - apply (A "ACT02"%string). simpl. tauto.
  - apply (A "ACT03"%string). simpl. tauto.
  - apply (A "ACT04"%string). simpl. tauto.
  - apply (A "ACT05"%string). simpl. tauto.
  - apply (A "ACT06"%string). simpl. tauto.
  - apply (A "ACT07"%string). simpl. tauto.
  - apply (A "TOW06"%string). simpl. tauto.
  - apply (A "LIM01"%string). simpl. tauto.
  - apply (A "SET06"%string). simpl. tauto.
Qed.

Inductive run (r : Rulings) (g : Game) : State -> list Turn -> State -> Prop :=
| run_none : forall s, run r g s [] s
| run_turn : forall s turn turns s', legal_turn (MakeNow r g turn s) ->
    run r g (its_state (after (MakeNow r g turn s))) turns s' -> run r g s (turn :: turns) s'.

(** The actions D, the cards that they destroy, and the cards dropped. *)
Definition number_D (turn : Turn) : nat := match a turn with D _ _ _ _ _ _ _ => 1 | _ => 0 end.
Definition destroyed (turn : Turn) : nat := match a turn with D _ _ _ E _ _ _ => length E | _ => 0 end.
Definition total (count : Turn -> nat) (turns : list Turn) : nat :=
  fold_right (fun turn n => count turn + n)%nat 0%nat turns.

Theorem run_keeps : forall r g s turns s', run r g s turns s' -> well_placed s ->
  well_placed s' /\ Permutation (all_cards s) (all_cards s') /\
  (length (cards_left s) + length (W s) = length (cards_left s') + length (W s') + total number_D turns +
    total destroyed turns + total (fun turn => length (drop turn)) turns)%nat.
Proof.
  intros r g s turns s' T. induction T as [s | s turn turns s' [C (q & h & P & Q)] T IH]; intros N.
  - repeat split; try apply N; trivial. simpl. lia.
  - pose (now := MakeNow r g turn s).
    pose proof (turn_keeps now q h N P Q C) as A. pose proof (turn_counts now q h N P Q C) as B.
    destruct (IH (stays_well_placed now q h N P Q C)) as (N' & A' & B'). split; [trivial | split].
    + eapply perm_trans; [exact A | exact A'].
    + assert (D1 : Account.is_D (action_of now) = number_D turn).
      { unfold action_of, number_D. simpl. destruct (a turn); reflexivity. }
      assert (D2 : Account.spent (action_of now) = destroyed turn).
      { unfold action_of, destroyed. simpl. destruct (a turn); simpl; rewrite ?map_length; reflexivity. }
      assert (B2 : (length (cards_left s) + length (W s) = length (cards_left (its_state (after now))) +
        length (W (its_state (after now))) + number_D turn + destroyed turn + length (drop turn))%nat).
      { rewrite <- D1, <- D2. exact B. }
      fold now in B'. unfold total in *. cbn [fold_right]. lia.
Qed.

(** Lemma 1, the account, in the printed formulas: until 28 cards lie in the tower, e + m + k + h <= S. *)
Theorem account : forall r g s turns s', run r g s turns s' -> well_placed s -> length (W s') = 28%nat ->
  (28 + total number_D turns + total destroyed turns + total (fun turn => length (drop turn)) turns <=
    length (cards_left s) + length (W s))%nat.
Proof. intros r g s turns s' T N L. destruct (run_keeps r g s turns s' T N) as (_ & _ & C). lia. Qed.

(** [some_table] is well placed, and its turn breaks nothing but the limit of the Reserve. *)
Example some_well_placed : well_placed some_table.
Proof.
  split; try (match goal with |- NoDup ?l => change (NoDup (members l)); apply members_nodup end).
  simpl. intuition congruence.
Qed.

Example some_legal : legal_turn some_table /\ failing some_table (asked some_table) = ["LIM02"]%string.
Proof.
  split; [| vm_compute; trivial]. split; [split; [repeat constructor | split; reflexivity] |].
  exists 1, [Glass 17; Glass 30; Glass 44]. auto.
Qed.

Example some_counts : (length (cards_left some_table), length (cards_left (after some_table))) = (9, 8)%nat.
Proof. vm_compute. trivial. Qed.
