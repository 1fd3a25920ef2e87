(** An exhausted search proves a table dead: search.md, "Reductions" and "Number and digest".

    Positions are looked at, from each the turns that lead on.  Some are left out by a test, some are looked
    at in the place of others, some turns are not made.  Where all this is right and no turn wins, no position
    that was looked at has a continuation that wins. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach Counting Game Turns Reductions
  FewerCards Witness.
Import ListNotations.
Open Scope nat_scope.

(** * Any search *)

Section Search.

  Variables State Turn : Type.
  Variable leads : State -> Turn -> State -> Prop.       (* legal turns after which play goes on *)
  Variable ends : State -> Turn -> State -> Prop.        (* legal turns that win *)

  (** A continuation of n turns that wins. *)
  Inductive winning : nat -> State -> Prop :=
  | winning_now : forall x t y, ends x t y -> winning 1 x
  | winning_later : forall n x t y, leads x t y -> winning n y -> winning (S n) x.

  Definition lost (x : State) : Prop := forall n, ~ winning n x.

  (** Each turn from a position that is looked at leads to one that is lost, or in whose place one is looked
      at from which as many turns win.  (A turn that is not made has to lead to one that is lost.) *)
  Theorem exhausted_search_dead : forall (visited left_out : State -> Prop) (for_it : State -> State -> Prop),
    (forall x, left_out x -> lost x) ->
    (forall y z n, for_it y z -> winning n y -> winning n z) ->
    (forall x t y, visited x -> leads x t y -> left_out y \/ exists z, for_it y z /\ visited z) ->
    (forall x t y, visited x -> ~ ends x t y) ->
    forall x, visited x -> lost x.
  Proof.
    intros visited left_out for_it Lo Fi Cl No x V n. revert x V. induction n as [| n IH]; intros x V W.
    - inversion W.
    - inversion W as [x' t y E | m x' t y L W']; subst; [exact (No _ _ _ V E) |].
      destruct (Cl _ _ _ V L) as [O | (z & F & Vz)]; [exact (Lo _ O _ W') |].
      exact (IH z Vz (Fi _ _ _ F W')).
  Qed.

End Search.

(** * The search of search.md *)

Definition apex_liesb (s : table) : bool :=
  existsb (fun e => (lev (fst e) =? Z.of_nat levels)%Z) (laid_cards s).

Lemma apex_liesb_true : forall s, apex_liesb s = true <-> apex_lies s.
Proof.
  intros s. unfold apex_liesb, apex_lies. rewrite existsb_exists. split.
  - intros ([x k] & I & E). exists x, k. split; trivial. apply Z.eqb_eq. trivial.
  - intros (x & k & I & E). exists (x, k). split; trivial. apply Z.eqb_eq. trivial.
Qed.

Section Tables.

  Variable r : rulings.

  (** A state is a table, the cards that nobody saw, and whatever else the clauses ask for.  The legal turns
      are some of those of [Account.played]. *)
  Variable State : Type.
  Variable tab : State -> table.
  Variable unseen : State -> list card.
  Variables leads ends : State -> turn -> State -> Prop.

  Hypothesis leads_played : forall x t y, leads x t y ->
    played r (tab x) t (tab y) /\ not_lost r t (tab y) /\ settles t (unseen x) (unseen y).
  Hypothesis ends_won : forall x t y, ends x t y ->
    played r (tab x) t (tab y) /\ not_lost r t (tab y) /\ won r t (tab y).

  (** What stands for a state: one with the same position (Lemma 1), or with other idle cards. *)
  Variable for_it : State -> State -> Prop.

  Hypothesis for_it_sound : forall y z, for_it y z -> sound r (tab y) -> sound r (tab z).
  Hypothesis for_it_wins : forall y z n, for_it y z ->
    winning State turn leads ends n y -> winning State turn leads ends n z.

  Notation wins_in := (winning State turn leads ends).

  Lemma winning_wins : forall n x, wins_in n x -> exists ts s', length ts = n /\ wins r (tab x) ts s'.
  Proof.
    intros n x W. induction W as [x t y E | n x t y L W (ts & s' & Ln & (b & u & s1 & -> & R & Q))].
    - destruct (ends_won _ _ _ E) as (P & N & Wn). exists [t], (tab y). split; trivial.
      exists [], t, (tab x). repeat split; trivial; try apply Wn. constructor.
    - destruct (leads_played _ _ _ L) as (P & N & _). exists (t :: b ++ [u]), s'. split; [simpl; auto |].
      exists (t :: b), u, s1. split; trivial. split; trivial. econstructor; eauto.
  Qed.

  Lemma dead_lost : forall x, dead r (tab x) -> lost State turn leads ends x.
  Proof. intros x D n W. destruct (winning_wins n x W) as (ts & s' & _ & Wn). exact (D ts s' Wn). Qed.

  (** With the reductions [cards] and [exchanges], and without the turns that Lemma 3 leaves out: those that
      destroy and drop more cards together than the slack less the least price. *)
  Theorem search_dead : forall (visited : State -> Prop) (least : State -> nat),
    (forall x, visited x -> costs_least r (unseen x) (tab x) (least x)) ->
    (forall x t y, visited x -> leads x t y ->
      (Z.of_nat (too_many t) <= spare (tab x) - Z.of_nat (least x))%Z ->
      out_of_cards (tab y) \/ out_of_reach r (unseen y) (tab y) \/ exists z, for_it y z /\ visited z) ->
    (forall x t y, visited x -> ~ ends x t y) ->
    forall x, visited x -> sound r (tab x) -> forall n, ~ wins_in n x.
  Proof.
    intros visited least Le Cl No x V S.
    apply (exhausted_search_dead State turn leads ends (fun x => visited x /\ sound r (tab x))
      (fun x => dead r (tab x)) for_it); [exact dead_lost | exact for_it_wins | | | auto].
    - clear x V S. intros x t y [V S] L. destruct (leads_played _ _ _ L) as (P & _ & Se).
      pose proof (turn_sound _ _ _ _ S P) as S1.
      destruct (Z_le_gt_dec (Z.of_nat (too_many t)) (spare (tab x) - Z.of_nat (least x))) as [Few | Many].
      + destruct (Cl x t y V L Few) as [O | [O | (z & F & Vz)]].
        * left. exact (out_of_cards_dead r _ O).
        * left. exact (out_of_reach_dead r _ _ S1 O).
        * right. exists z. eauto.
      + left. apply (out_of_reach_dead r (unseen y) _ S1).
        apply (too_many_destroyed r (unseen x) (unseen y) (tab x) t (tab y) (least x)); auto.
        unfold too_many in Many. lia.
    - intros y t z [V' _]. apply No. trivial.
  Qed.

  (** ** With the counting game *)

  (** The draw limit of a state; the clauses that the counting game asks of turns ([fair], [goes_on]), and
      LIM01. *)
  Variable lim : State -> nat.

  Hypothesis no_skips : skipped r = false.
  Hypothesis leads_fair : forall x t y, leads x t y -> fair r (lim x) (tab x) t (tab y) /\
    goes_on r (tab x) t (tab y) /\ limit_after t (tab y) (lim y) /\ drops_well (tab x) t (tab y).
  Hypothesis ends_fair : forall x t y, ends x t y -> fair r (lim x) (tab x) t (tab y).
  Hypothesis for_it_supported : forall y z, for_it y z ->
    supported (laid_cards (tab y)) -> supported (laid_cards (tab z)).

  Lemma winning_fairly : forall n x, wins_in n x -> exists ts s', wins_fairly r (lim x) (tab x) ts s'.
  Proof.
    intros n x W. induction W as [x t y E | n x t y L W (ts & s' & Wf)].
    - destruct (ends_won _ _ _ E) as (P & N & Wn). exists [t], (tab y).
      apply fairly_last; trivial. apply ends_fair. trivial.
    - destruct (leads_played _ _ _ L) as (P & N & _). destruct (leads_fair _ _ _ L) as (Fa & G & La & _).
      exists (t :: ts), s'. eapply fairly_more; eauto.
  Qed.

  (** Whether an apex may be laid anew. *)
  Definition anew_of (s : table) : bool :=
    match early_apex r with win_on_completion => false | no_win => true | _ => apex_liesb s end.

  Lemma anew_lies : forall s, early_apex r <> win_on_completion -> apex_lies s -> anew_of s = true.
  Proof.
    intros s Ea A. apply apex_liesb_true in A. unfold anew_of. rewrite A. destruct (early_apex r); congruence.
  Qed.

  Lemma anew_no_win : forall s, early_apex r = no_win -> anew_of s = true.
  Proof. intros s E. unfold anew_of. rewrite E. trivial. Qed.

  (** turns: "a position is left out when its counting game is lost"; what is owed is its least price. *)
  Definition out_of_turns (x : State) : Prop := exists c,
    costs_least r (unseen x) (tab x) c /\ ~ game_won r (anew_of (tab x)) (game_of (tab x) (lim x) c).

  Lemma counting_lost : forall x c anew, sound r (tab x) -> supported (laid_cards (tab x)) ->
    costs_least r (unseen x) (tab x) c ->
    (early_apex r <> win_on_completion -> apex_lies (tab x) -> anew = true) ->
    (early_apex r = no_win -> anew = true) ->
    ~ game_won r anew (game_of (tab x) (lim x) c) -> lost State turn leads ends x.
  Proof.
    intros x c anew S Su Le As An Lo n W. destruct (winning_fairly n x W) as (ts & s' & Wf).
    apply (counting_game_dead r (tab x) (lim x) c anew S Su no_skips) in Wf; trivial.
    exact (least_paid r (unseen x) (tab x) c S Le).
  Qed.

  Lemma out_of_turns_lost : forall x, sound r (tab x) -> supported (laid_cards (tab x)) -> out_of_turns x ->
    lost State turn leads ends x.
  Proof.
    intros x S Su (c & Le & Lo). apply (counting_lost x c (anew_of (tab x))); trivial;
      [apply anew_lies | apply anew_no_win].
  Qed.

  (** "For each m' > m up to M the game with m' cards fewer is lost, and Lemma 4 leaves out the turns that
      destroy and drop m' cards together." *)
  Lemma fewer_lost : forall x t y c, sound r (tab x) -> supported (laid_cards (tab x)) -> leads x t y ->
    costs_least r (unseen x) (tab x) c ->
    ~ won_fewer r (anew_of (tab x)) (too_many t) (game_of (tab x) (lim x) c) -> lost State turn leads ends y.
  Proof.
    intros x t y c S Su L Le Lo. destruct (leads_played _ _ _ L) as (P & N & Se).
    destruct (leads_fair _ _ _ L) as (Fa & G & La & Dw). pose proof (turn_sound _ _ _ _ S P) as S1.
    assert (Su1 : supported (laid_cards (tab y))) by (eapply turn_supported; eauto; apply Fa).
    pose proof (least_falls _ _ _ _ _ _ _ S P Se Le) as Le1.
    assert (Woc : early_apex r = win_on_completion \/ early_apex r <> win_on_completion).
    { destruct (early_apex r); auto; right; discriminate. }
    destruct (finish r && negb (match early_apex r with win_on_completion => true | _ => false end) &&
      apex_liesb (tab y)) eqn:Fx.
    { (* nobody wins with F on the apex *)
      rewrite !andb_true_iff, apex_liesb_true in Fx. destruct Fx as ((Fv & Ea) & Al).
      apply dead_lost. apply (apex_finish_dead r (tab y) S1); trivial.
      destruct (early_apex r); simpl in Ea; congruence. }
    assert (Nf : ~ (finish r = true /\ early_apex r <> win_on_completion /\ apex_lies (tab y))).
    { intros (Fv & Ea & Al). apply apex_liesb_true in Al. rewrite Fv, Al in Fx.
      destruct (early_apex r); simpl in Fx; congruence. }
    assert (Np : act t <> Pass).
    { intros E. unfold not_lost in N. rewrite E in N. congruence. }
    assert (As1 : early_apex r <> win_on_completion -> apex_lies (tab y) -> anew_of (tab x) = true).
    { intros Ea Ay. exact (apex_anew r (lim x) (tab x) t (tab y) _ S1 Su1 P Fa G Ea (anew_lies _ Ea)
        (anew_no_win _) Ay). }
    (* An apex to be laid again costs one. *)
    assert (C1 : exists c1, costs_least r (unseen y) (tab y) c1 /\ c <= c1 + is_D (act t) /\
      (finish r = false -> early_apex r <> win_on_completion -> apex_lies (tab y) -> 1 <= c1)).
    { destruct (finish r) eqn:Fv; [exists (c - is_D (act t)); repeat split; trivial; [lia | discriminate] |].
      destruct Woc as [Ea | Ea]; [exists (c - is_D (act t)); repeat split; trivial; [lia | congruence] |].
      destruct (apex_liesb (tab y)) eqn:Ay.
      - exists (Nat.max 1 (c - is_D (act t))). apply apex_liesb_true in Ay. repeat split; try lia.
        intros T Ft Pr. pose proof (again_costs r (unseen y) (tab y) S1 Fv Ea Ay T Ft Pr).
        pose proof (Le1 T Ft Pr). lia.
      - exists (c - is_D (act t)). repeat split; trivial; [lia |]. intros _ _ Al.
        apply apex_liesb_true in Al. congruence. }
    destruct C1 as (c1 & L1 & Lc & Ag).
    apply (counting_lost y c1 (anew_of (tab x))); trivial; [apply anew_no_win |].
    exact (fewer_cards_lost r (tab x) t (tab y) (lim x) (lim y) c c1 (anew_of (tab x)) S Su P Np Fa G La Dw
      Lc Ag (anew_lies _) (anew_no_win _) Nf Lo).
  Qed.

  (** With [turns] too: "turns that destroy and drop more than m cards together are left out". *)
  Theorem search_with_turns_dead : forall (visited : State -> Prop) (least most : State -> nat),
    (forall x, visited x -> costs_least r (unseen x) (tab x) (least x)) ->
    (forall x m, visited x -> most x < m -> (Z.of_nat m <= spare (tab x) - Z.of_nat (least x))%Z ->
      ~ won_fewer r (anew_of (tab x)) m (game_of (tab x) (lim x) (least x))) ->
    (forall x t y, visited x -> leads x t y -> too_many t <= most x ->
      (Z.of_nat (too_many t) <= spare (tab x) - Z.of_nat (least x))%Z ->
      out_of_cards (tab y) \/ out_of_reach r (unseen y) (tab y) \/ out_of_turns y \/
      exists z, for_it y z /\ visited z) ->
    (forall x t y, visited x -> ~ ends x t y) ->
    forall x, visited x -> sound r (tab x) -> supported (laid_cards (tab x)) -> forall n, ~ wins_in n x.
  Proof.
    intros visited least most Le Mo Cl No x V S Su.
    apply (exhausted_search_dead State turn leads ends
      (fun x => visited x /\ sound r (tab x) /\ supported (laid_cards (tab x)))
      (lost State turn leads ends) for_it); [auto | exact for_it_wins | | | auto].
    - clear x V S Su. intros x t y (V & S & Su) L. destruct (leads_played _ _ _ L) as (P & _ & Se).
      pose proof (turn_sound _ _ _ _ S P) as S1. destruct (leads_fair _ _ _ L) as (Fa & _).
      assert (Su1 : supported (laid_cards (tab y))) by (eapply turn_supported; eauto; apply Fa).
      destruct (Z_le_gt_dec (Z.of_nat (too_many t)) (spare (tab x) - Z.of_nat (least x))) as [Few | Many].
      + destruct (le_lt_dec (too_many t) (most x)) as [Lm | Lm].
        * destruct (Cl x t y V L Lm Few) as [O | [O | [O | (z & F & Vz)]]].
          -- left. exact (dead_lost _ (out_of_cards_dead r _ O)).
          -- left. exact (dead_lost _ (out_of_reach_dead r _ _ S1 O)).
          -- left. exact (out_of_turns_lost y S1 Su1 O).
          -- right. exists z. split; trivial. split; trivial.
             split; [exact (for_it_sound _ _ F S1) | exact (for_it_supported _ _ F Su1)].
        * left. exact (fewer_lost x t y (least x) S Su L (Le x V) (Mo x _ V Lm Few)).
      + left. apply dead_lost, (out_of_reach_dead r (unseen y) _ S1).
        apply (too_many_destroyed r (unseen x) (unseen y) (tab x) t (tab y) (least x)); auto.
        unfold too_many in Many. lia.
    - intros y t z (V' & _). apply No. trivial.
  Qed.

End Tables.

(** ** All turns of Account.v *)

(** A set of tables that is closed under all turns of [Account.played], but for tables that the reductions
    leave out, and from which no turn wins, has dead tables alone. *)
Corollary closed_tables_dead : forall r (visited : table -> Prop),
  (forall s t s', visited s -> played r s t s' -> not_lost r t s' ->
    out_of_cards s' \/ out_of_reach r [] s' \/ visited s') ->
  (forall s t s', visited s -> played r s t s' -> not_lost r t s' -> ~ won r t s') ->
  forall s, visited s -> sound r s -> dead r s.
Proof.
  intros r visited Cl No s V Sn ts s' (b & t & s1 & _ & R & P & N & Wn).
  pose (leads := fun s t s' => played r s t s' /\ not_lost r t s').
  pose (ends := fun s t s' => played r s t s' /\ not_lost r t s' /\ won r t s').
  assert (W : forall s0 us, run r s0 us s1 -> winning table turn leads ends (S (length us)) s0).
  { intros s0 us R0. induction R0 as [s0 | s0 u s2 us s3 P0 N0 _ IH].
    - apply (winning_now _ _ _ _ s0 t s'). split; auto.
    - apply (winning_later _ _ _ _ _ s0 u s2); [split; trivial |]. exact (IH R P). }
  apply (search_dead r table (fun s => s) (fun _ => []) leads ends) with
    (for_it := eq) (visited := visited) (least := fun _ => 0) (x := s) (n := S (length b)); trivial.
  - intros x u y [P0 N0]. repeat split; trivial; [apply incl_refl | intros [] | intros c _ []].
  - intros y z ->. trivial.
  - intros y z n ->. trivial.
  - intros x _ T _ _. lia.
  - intros x u y V0 [P0 N0] _. destruct (Cl x u y V0 P0 N0) as [O | [O | O]]; eauto.
  - intros x u y V0 (P0 & N0 & W0). exact (No x u y V0 P0 N0 W0).
  - exact (W s b R).
Qed.

(** The same of positions as Counting.v has them, which do not show all cards: each table that comes about
    by a turn is one that some position may be, which is in the set, or dead by any reason of table.md. *)
Corollary closed_positions_dead : forall r (visited : position -> Prop),
  (forall p s t s', visited p -> sound r s -> fits p s -> played r s t s' -> not_lost r t s' ->
    ~ won r t s' /\ exists q, fits q s' /\ (dead_position r q \/ visited q)) ->
  forall p, visited p -> dead_position r p.
Proof.
  intros r visited Cl p V s S H ts s' Wn. revert p s V S H Wn.
  induction ts as [| u ts IH]; intros p s V S H (b & t & s1 & E & R & P & N & W).
  - destruct b; discriminate.
  - destruct R as [s | s v s2 vs s1 P0 N0 R]; simpl in E; inversion E; subst.
    + destruct (Cl p s t s' V S H P N) as [Nw _]. exact (Nw W).
    + pose proof (turn_sound _ _ _ _ S P0) as S2.
      assert (W2 : wins r s2 (vs ++ [t]) s') by (exists vs, t, s1; repeat split; trivial; apply W).
      destruct (Cl p s v s2 V S H P0 N0) as [_ (q & Hq & [D | Vq])]; [exact (D s2 S2 Hq _ _ W2) |].
      exact (IH q s2 Vq S2 Hq W2).
Qed.

(** ** Example: a table that a search of one table proves dead

    All is laid but the apex, on which Ada's 50 does not go; Bo has the card that does. No count says so: S is
    2, e is 1, the least price is 0, and in the counting game Ada lays her card. *)
Definition ada_first : table :=
  Table [[Glass 50]; [the_card]] [] (laid_cards last_turn) (map Glass (range 45 5))
    (map Glass (range 29 16)) 0 true false.

Definition ada_cells (x : cell) : bool := existsb (eqb x) (map fst (laid_cards ada_first)).

Lemma ada_cells_true : forall x, ada_cells x = true -> In x (map fst (laid_cards ada_first)).
Proof.
  intros x E. apply existsb_exists in E. destruct E as (y & I & E). apply eqb_true in E. subst y. trivial.
Qed.

Lemma only_the_apex : forall x k, in_pyramid base ((x, k) :: laid_cards ada_first) ->
  ~ In x (map fst (laid_cards ada_first)) -> x = the_apex.
Proof.
  intros x k (l & _ & I) N. assert (J : forall y, ada_cells y = true -> inside levels l y).
  { intros y E. apply ada_cells_true, in_map_iff in E. destruct E as ([z q] & E & Iz). simpl in E. subst z.
    apply (I y q). right. trivial. }
  assert (l = 3%Z) as ->.
  { pose proof (J (3, 1)%Z ltac:(vm_compute; reflexivity)).
    pose proof (J (9, 1)%Z ltac:(vm_compute; reflexivity)).
    unfold inside, levels, col, lev in *. simpl in *. lia. }
  pose proof (proj2 (in_cells _ _ _) (I x k (or_introl eq_refl))) as Ix.
  assert (G : forallb (fun y => eqb y the_apex || ada_cells y) (cells levels 3) = true)
    by (vm_compute; reflexivity).
  rewrite forallb_forall in G. specialize (G x Ix). apply orb_true_iff in G.
  destruct G as [G | G]; [apply eqb_true; trivial | destruct (N (ada_cells_true x G))].
Qed.

Lemma opens_down : forall d x c d', does d (C x c) d' -> In (x, Down c) (tow d).
Proof. intros d x c d' Do. inversion Do; subst. simpl. apply in_or_app. simpl. auto. Qed.

Lemma ada_stuck : forall t s', played base ada_first t s' -> ~ not_lost base t s'.
Proof.
  intros t s' [b a h h' R' d O B K _ Do Lg _ _ _ _ _ _ _ _] NL. simpl in B, K.
  destruct b as [| ? ?]; [| discriminate]. simpl in O. inversion O; subst h a.
  destruct (draw t); [| discriminate]. cbn [app] in *.
  unfold not_lost in NL. destruct (act t) as [c x | c x | x c | u v E l x old |].
  - inversion Do; subst. match goal with H : Permutation _ _ |- _ => rename H into Pm end.
    apply Permutation_length_1_inv in Pm. inversion Pm; subst.
    destruct Lg as (Or & Py & _). cbn [tow] in *. rewrite (only_the_apex _ _ Py) in Or by trivial.
    apply ordersb_correct in Or; [vm_compute in Or; discriminate |].
    apply once_cells_true. vm_compute. reflexivity.
  - inversion Do; subst. destruct Lg as ((_ & Py & Ap) & _). cbn [tow] in *.
    rewrite (only_the_apex _ _ Py) in Ap by trivial. destruct (Ap eq_refl). discriminate.
  - apply opens_down in Do. cbn [tow] in Do.
    assert (U : forallb (fun e => is_up (snd e)) (laid_cards ada_first) = true) by (vm_compute; reflexivity).
    rewrite forallb_forall in U. specialize (U _ Do). discriminate U.
  - inversion Do; subst; match goal with H : Permutation [_] _ |- _ =>
      apply Permutation_length in H; simpl in H; lia end.
  - discriminate.
Qed.

Example ada_first_dead : dead base ada_first.
Proof.
  apply (closed_tables_dead base (fun s => s = ada_first)); trivial.
  - intros s t s' -> P N. destruct (ada_stuck t s' P N).
  - intros s t s' -> P N. destruct (ada_stuck t s' P N).
  - apply sound_plain; vm_compute; reflexivity.
Qed.

(** The same with a draw limit and all clauses that the counting game asks for: what
    [search_with_turns_dead] asks of a search can be met. *)
Definition fair_lead (x : table * nat) (t : turn) (y : table * nat) : Prop :=
  played base (fst x) t (fst y) /\ not_lost base t (fst y) /\ fair base (snd x) (fst x) t (fst y) /\
  goes_on base (fst x) t (fst y) /\ limit_after t (fst y) (snd y) /\ drops_well (fst x) t (fst y).

Definition fair_end (x : table * nat) (t : turn) (y : table * nat) : Prop :=
  played base (fst x) t (fst y) /\ not_lost base t (fst y) /\ won base t (fst y) /\
  fair base (snd x) (fst x) t (fst y).

Example ada_first_search : forall n, ~ winning (table * nat) turn fair_lead fair_end n (ada_first, 4).
Proof.
  assert (Su : supported (laid_cards ada_first)).
  { intros x k I L. assert (G : forallb (fun e => (lev (fst e) <=? 1)%Z ||
      (ada_cells (left_support (fst e)) && ada_cells (right_support (fst e)))) (laid_cards ada_first) = true)
      by (vm_compute; reflexivity).
    rewrite forallb_forall in G. specialize (G _ I). apply orb_true_iff in G. destruct G as [G | G].
    - apply Z.leb_le in G. simpl in G. lia.
    - apply andb_true_iff in G. split; apply ada_cells_true; apply G. }
  apply (search_with_turns_dead base (table * nat) fst (fun _ => []) fair_lead fair_end) with
    (for_it := eq) (lim := snd) (visited := fun x => x = (ada_first, 4)) (least := fun _ => 0)
    (most := fun _ => 99); trivial.
  - intros x t y (P & N & _). repeat split; trivial; [apply incl_refl | intros [] | intros c _ []].
  - intros x t y (P & N & W & _). auto.
  - intros y z ->. trivial.
  - intros y z n ->. trivial.
  - intros x t y (_ & _ & Fa & G & La & Dw). auto.
  - intros x t y (_ & _ & _ & Fa). trivial.
  - intros y z ->. trivial.
  - intros x _ T _ _. lia.
  - intros x m -> M Sl. assert (E : spare ada_first = 1%Z) by (vm_compute; reflexivity).
    cbn [fst] in Sl. rewrite E in Sl. lia.
  - intros x t y -> (P & N & _). destruct (ada_stuck t _ P N).
  - intros x t y -> (P & N & _). destruct (ada_stuck t _ P N).
  - apply sound_plain; vm_compute; reflexivity.
Qed.
