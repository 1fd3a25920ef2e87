(** If the counting game is lost, the table is dead: table.md, "The counting game". *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach OutOfOrder Counting Provenance Game.
Import ListNotations.
Open Scope nat_scope.

(** * Turns with their draws and limits *)

Definition hand_size (l : list card) : nat := length l - copies l F.

(** DRW01 to DRW06: no more is drawn than the limit, F and the card after it counting as one. *)
Definition drawn_well (r : rulings) (lim : nat) (t : turn) : Prop :=
  length (draw t) <= lim + copies (draw t) F /\ (lim = 0 -> draw t = []).

(** TOW03: a card above level 1 is laid over both its supports. *)
Definition has_supports (W : tower) (a : action) : Prop :=
  match a with
  | A _ x | B _ x | D _ _ _ _ x None =>
      (1 < lev x)%Z -> In (left_support x) (map fst W) /\ In (right_support x) (map fst W)
  | _ => True
  end.

Definition lays_down (a : action) : bool :=
  match a with B _ _ => true | D _ _ _ l _ _ => negb (is_up l) | _ => false end.

(** What the clauses ask of every turn here: the draw; no fill, as [finish_refill] is not [at_once]
    (DRW04); TOW03; and under [early_apex=forbidden] an apex over no down card (TOW08). *)
Definition fair (r : rulings) (lim : nat) (s : table) (t : turn) (s' : table) : Prop :=
  drawn_well r lim t /\ fill t = [] /\ has_supports (laid_cards s) (act t) /\
  (early_apex r = forbidden -> (exists x, target (act t) = Some x /\ lev x = Z.of_nat levels) ->
    forall x c, ~ In (x, Down c) (laid_cards s')).

(** A turn after which play goes on has not won (END04), has not lost by an apex over a down card under
    [early_apex=loses] (END02), and leaves at most three hand cards (LIM01). *)
Definition goes_on (r : rulings) (s : table) (t : turn) (s' : table) : Prop :=
  ~ won r t s' /\
  (early_apex r = loses -> (exists x, target (act t) = Some x /\ lev x = Z.of_nat levels) ->
    forall x c, ~ In (x, Down c) (laid_cards s')) /\
  hand_size (nth (due s) (own s') []) <= 3.

(** The limit of the next draw: 4 at most, and after a card laid down what the hand lacks to two (DRW02 to
    DRW04). *)
Definition limit_after (t : turn) (s' : table) (lim : nat) : Prop :=
  lim <= 4 /\ (lays_down (act t) = true -> lim <= 2 - hand_size (nth (due s') (own s') [])).

(** Continuations that win and keep these clauses too. *)
Inductive wins_fairly (r : rulings) : nat -> table -> list turn -> table -> Prop :=
| fairly_last : forall lim s t s', played r s t s' -> not_lost r t s' -> fair r lim s t s' -> won r t s' ->
    wins_fairly r lim s [t] s'
| fairly_more : forall lim lim' s t s1 ts s', played r s t s1 -> not_lost r t s1 -> fair r lim s t s1 ->
    goes_on r s t s1 -> limit_after t s1 lim' -> wins_fairly r lim' s1 ts s' ->
    wins_fairly r lim s (t :: ts) s'.

Lemma fairly_wins : forall r lim s ts s', wins_fairly r lim s ts s' -> wins r s ts s'.
Proof.
  intros r lim s ts s' W.
  induction W as [lim s t s' P N Fa Wn | lim lim' s t s1 ts s' P N Fa G L W (b & u & s2 & -> & R & Q)].
  - exists [], t, s. repeat split; trivial; [constructor | apply Wn | apply Wn | apply Wn].
  - exists (t :: b), u, s2. repeat split; try apply Q. econstructor; eauto.
Qed.

(** * The game beside the table *)

Definition down_cards (W : tower) : nat := length (filter (fun e => negb (is_up (snd e))) W).

(** "own' >= own, deck' >= deck, empty' = empty, down' = down, owed' <= left." *)
Record beside (r : rulings) (lim : nat) (s : table) (left : nat) (g : counts) : Prop := Beside {
  same_mover : mover g = due s;
  more_own : Forall2 (fun h n => length h <= n) (own s) (owns g);
  more_deck : length (deck s) <= stack g;
  same_empty : length (laid_cards s) + empties g = full_size;
  same_down : downs g = down_cards (laid_cards s);
  less_owed : owe g <= left;
  more_limit : match allowance g with
    | Some k => lim <= k
    | None => lim <= 2 - hand_size (nth (due s) (own s) [])
    end
}.

Lemma nth_more : forall (os : list (list card)) ns i, Forall2 (fun h n => length h <= n) os ns ->
  length (nth i os []) <= nth i ns 0.
Proof.
  intros os ns i H. revert i. induction H as [| h n os ns L H IH]; intros [| i]; simpl; auto.
Qed.

Lemma one_F : forall s l, NoDup (all_cards s) ->
  (forall c, copies l c <= copies (all_cards s) c) -> copies l F <= 1.
Proof.
  intros s l N L. apply (NoDup_count_occ card_dec) with (x := F) in N. specialize (L F).
  unfold copies in *. lia.
Qed.

(** "The game can draw so far": to have as many own cards as the table's player after the draw. *)
Lemma game_draws : forall r lim s left g t, sound r s -> beside r lim s left g -> drawn_well r lim t ->
  draw t <> [] -> incl (draw t) (deck s) ->
  copies (draw t ++ nth (due s) (own s) []) F <= (if finish r then 1 else 0) ->
  length (draw t) <= length (deck s) ->
  let h := length (nth (due s) (own s) []) in
  let n := nth (mover g) (owns g) 0 in
  exists d, d <= draws_most r g /\ d <= stack g /\ d <= length (draw t) /\ h + length (draw t) <= n + d.
Proof.
  intros r lim s left g t S Bs [D1 D2] Ne _ Cf Ld h n.
  assert (Hn : h <= n) by (subst h n; rewrite (same_mover _ _ _ _ _ Bs); apply nth_more, Bs).
  assert (Lm : lim <> 0) by (intros E; apply Ne, D2, E).
  exists (h + length (draw t) - n). pose proof (more_deck _ _ _ _ _ Bs).
  repeat split; try lia. unfold draws_most, limit_of. pose proof (more_limit _ _ _ _ _ Bs) as Ml.
  rewrite copies_app in Cf. destruct (allowance g) as [k |].
  - assert (negb (k =? 0) = true) as -> by (apply negb_true_iff, Nat.eqb_neq; lia). rewrite andb_true_r.
    destruct (finish r); lia.
  - unfold hand_size in Ml. fold h in Ml. fold n.
    destruct (finish r); cbn [andb].
    + remember (2 - (n - 1)) as q eqn:Q. destruct (Nat.eqb_spec q 0); cbn [negb]; lia.
    + lia.
Qed.

(** ** What an action does to the numbers *)

Lemma down_app : forall V W, down_cards (V ++ W) = down_cards V + down_cards W.
Proof. intros V W. unfold down_cards. rewrite filter_app, app_length. trivial. Qed.

Lemma down_cons : forall x l W, down_cards ((x, l) :: W) = (if is_up l then 0 else 1) + down_cards W.
Proof. intros x [c | c] W; trivial. Qed.

Lemma game_acts : forall r d a d' e n, does d a d' -> legal r d a d' -> a <> Pass ->
  NoDup (map fst (tow d')) -> in_pyramid r (tow d') -> supported (tow d) ->
  length (tow d) + e = full_size -> length (hand d) <= n ->
  exists n' e' o,
    acts r n e (down_cards (tow d)) n' e' (down_cards (tow d')) (is_D a + spent a) o (lays_down a) /\
    length (tow d') + e' = full_size /\ length (hand d') <= n' /\ (o = true <-> exists x c, a = C x c).
Proof.
  intros r d a d' e n Do Lg Np N P Su E Hn.
  pose proof (pyramid_size r _ N P) as Sz.
  destruct Do as [h h' W R G m c x Ph Nx | h h' W R G m c x Ph Nx | h W V R G m x c
    | h h' W R R' G m u v X l x Ph Pr Nx | h h' W V R R' G m u v X l x old Ph Pr | d];
    simpl in *; try congruence; try (apply Permutation_length in Ph; simpl in Ph).
  - exists (n - 1), (e - 1), false. destruct n as [| n]; [lia |]. destruct e as [| e]; [lia |].
    simpl. rewrite !Nat.sub_0_r, down_cons. repeat split; try lia; try discriminate; [constructor |].
    intros (? & ? & Q). discriminate.
  - destruct Lg as [(_ & _ & Ap) _].
    assert (E2 : e <> 1).
    { intros ->. destruct (Ap (last_is_apex r W x (Down c) N P Su E)). discriminate. }
    exists (n - 1), (e - 1), false. destruct n as [| n]; [lia |]. destruct e as [| [| e]]; [lia | tauto |].
    simpl. rewrite !Nat.sub_0_r, down_cons. repeat split; try lia; try discriminate; [constructor |].
    intros (? & ? & Q). discriminate.
  - exists n, e, true. rewrite !down_app, !down_cons, !app_length in *. simpl in *.
    replace (down_cards W + S (down_cards V)) with (S (down_cards W + down_cards V)) by lia.
    repeat split; try lia; eauto. constructor.
  - destruct Lg as ((_ & _ & Ap) & _ & _ & Ei & _). rewrite app_length in Ph.
    exists (n - S (S (length X))), (e - 1), false. destruct e as [| e]; [lia |].
    simpl. rewrite !Nat.sub_0_r, down_cons.
    replace n with ((n - S (S (length X))) + S (S (length X))) at 1 by lia.
    destruct l as [c | c]; simpl in *; repeat split; try lia; try discriminate;
      try (intros (? & ? & Q); discriminate).
    + apply (acts_D r _ e (down_cards W) (S (length X))). lia.
    + destruct e as [| e].
      * destruct (Ap (last_is_apex r W x (Down c) N P Su E)). discriminate.
      * apply acts_D_down; [lia | auto].
  - destruct Lg as (_ & _ & _ & Ei & _). rewrite app_length in Ph.
    exists (n - S (S (length X)) + 1), e, false. rewrite !down_app, !down_cons, !app_length in *. simpl in *.
    replace n with ((n - S (S (length X))) + S (S (length X))) at 1 by lia.
    assert (Sd : down_cards W + S (down_cards V) = S (down_cards W + down_cards V)) by lia.
    destruct old as [o | o], l as [c | c]; simpl in *; rewrite ?Sd;
      repeat split; try lia; try discriminate; try (intros (? & ? & Q); discriminate).
    + apply acts_D_up_for_up. lia.
    + apply acts_D_down_for_up; [lia | auto].
    + apply acts_D_up_for_down. lia.
    + apply acts_D_down_for_down; [lia | auto].
Qed.

(** A turn keeps the supports. *)
Lemma turn_supported : forall r s t s', played r s t s' -> has_supports (laid_cards s) (act t) ->
  supported (laid_cards s) -> supported (laid_cards s').
Proof.
  intros r s t s' P Hs Su x k I L.
  assert (More : forall y, In y (map fst (laid_cards s)) -> In y (map fst (laid_cards s'))).
  { intros y Y. exact (turn_laid _ _ _ _ P y Y). }
  assert (G : In x (map fst (laid_cards s)) \/
    (In (left_support x) (map fst (laid_cards s)) /\ In (right_support x) (map fst (laid_cards s)))).
  { destruct P as [b a h h' R' d _ _ _ _ Do _ _ _ _ W _ _ _ _]. rewrite W in I.
    remember (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s)) as d0 eqn:Ed.
    replace (laid_cards s) with (tow d0) in * by (rewrite Ed; trivial). clear Ed.
    destruct Do; simpl in *; try (left; exact (in_map fst _ _ I));
      try (destruct I as [I | I]; [inversion I; subst; right; auto | left; exact (in_map fst _ _ I)]);
      (left; rewrite map_app; simpl; apply (in_map fst) in I; rewrite map_app in I; exact I). }
  destruct G as [G | [G1 G2]]; [| auto].
  apply in_map_iff in G. destruct G as ([y j] & E & J). simpl in E. subst y. destruct (Su x j J L). auto.
Qed.

(** ** A whole turn *)

Lemma set_own_more : forall os ns i h n, Forall2 (fun (h : list card) n => length h <= n) os ns ->
  length h <= n -> forall b a g, os = b ++ g :: a -> length b = i ->
  Forall2 (fun (h : list card) n => length h <= n) (b ++ h :: a) (set_own i n ns).
Proof.
  intros os ns i h n H. revert i. induction H as [| g0 m os ns L H IH]; intros i Lh b a g E Lb.
  - destruct b; discriminate.
  - destruct b as [| b0 b]; simpl in *; inversion E; subst; simpl.
    + constructor; trivial.
    + constructor; trivial. eapply IH; eauto.
Qed.

(** F is at most once among any cards, and in the [finish] variant only. *)
Lemma F_once : forall r s l, sound r s -> (forall c, copies l c <= copies (all_cards s) c) ->
  copies l F <= if finish r then 1 else 0.
Proof.
  intros r s l S L. pose proof (one_F s l (sound_cards _ _ S) L). destruct (finish r) eqn:Fv; trivial.
  destruct (Nat.eq_dec (copies l F) 0) as [| N]; [lia |]. destruct (sound_variant _ _ S Fv).
  apply (count_occ_In card_dec). specialize (L F). unfold copies in *. lia.
Qed.

Lemma game_turn : forall r lim s left g t s1, sound r s -> supported (laid_cards s) ->
  played r s t s1 -> fair r lim s t s1 -> act t <> Pass ->
  beside r lim s (is_D (act t) + spent (act t) + left) g ->
  exists d n e dn j o, let h := after r g d n e dn j (lays_down (act t)) in
    d <= draws_most r g /\ d <= stack g /\ mover g < length (owns g) /\
    acts r (nth (mover g) (owns g) 0 + d) (empties g) (downs g) n e dn j o (lays_down (act t)) /\
    (o = true <-> exists x c, act t = C x c) /\
    length (laid_cards s1) + empties h = full_size /\ downs h = down_cards (laid_cards s1) /\
    owe h <= left /\
    (hand_size (nth (due s) (own s1) []) <= 3 -> forall lim', limit_after t s1 lim' ->
      beside r lim' s1 left h).
Proof.
  intros r lim s left g t s1 S Su P Fa Np Bs. pose proof (turn_sound _ _ _ _ S P) as S1.
  pose proof P as [b a h0 h' R' d O Lb K _ Do Lg Hd Tr O' W R G Mv Du].
  destruct Fa as (Dw & Fl & _ & _). rewrite Fl in K, Hd. simpl in K, Hd.
  pose proof (same_mover _ _ _ _ _ Bs) as Mo. pose proof (more_own _ _ _ _ _ Bs) as Mor.
  assert (Nth : nth (due s) (own s) [] = h0) by (rewrite O, <- Lb; apply nth_middle).
  assert (Ml : mover g < length (owns g)).
  { rewrite Mo, <- (all2_length _ _ _ _ _ Mor), O, app_length, <- Lb. simpl. lia. }
  pose proof (nth_more _ _ (due s) Mor) as Hn. rewrite Nth, <- Mo in Hn.
  pose proof (more_deck _ _ _ _ _ Bs) as Md.
  assert (Ld : length (draw t) + length (deck s1) = length (deck s)) by (rewrite K, app_length; trivial).
  assert (Dr : exists d, d <= draws_most r g /\ d <= stack g /\ d <= length (draw t) /\
    length h0 + length (draw t) <= nth (mover g) (owns g) 0 + d).
  { destruct (draw t) as [| c cs] eqn:Ed; [exists 0; simpl; repeat split; lia |]. rewrite <- Ed in *.
    rewrite <- Nth. apply (game_draws r lim s _ g t S Bs Dw).
    - rewrite Ed. discriminate.
    - rewrite K. intros x X. apply in_or_app. auto.
    - apply (F_once r s); trivial. intros x. unfold all_cards. rewrite Nth, O, K, concat_app. simpl.
      rewrite !copies_app. lia.
    - lia. }
  destruct Dr as (dd & D1 & D2 & D3 & D4).
  destruct (game_acts r _ _ d (empties g) (nth (mover g) (owns g) 0 + dd) Do Lg Np)
    as (n & e & o & Ac & Le & Ln & Oc).
  - rewrite <- W. apply S1.
  - rewrite <- W. apply S1.
  - exact Su.
  - exact (same_empty _ _ _ _ _ Bs).
  - simpl. rewrite app_length. lia.
  - simpl in Ac. rewrite <- (same_down _ _ _ _ _ Bs) in Ac. rewrite <- W in *.
    exists dd, n, e, (down_cards (laid_cards s1)), (is_D (act t) + spent (act t)), o.
    pose proof (less_owed _ _ _ _ _ Bs).
    repeat split; simpl; trivial; try apply Oc; try lia.
    + unfold mover_after. rewrite Du. unfold next. rewrite Mo, (all2_length _ _ _ _ _ Mor). trivial.
    + rewrite O'. apply (set_own_more (own s) (owns g) (mover g) h' _ Mor) with (g := h0);
        [| trivial | congruence].
      apply Permutation_length in Hd. rewrite app_length in Hd.
      assert (Nh : nth (due s) (own s1) [] = h') by (rewrite O', <- Lb; apply nth_middle).
      assert (Cf : copies h' F <= if finish r then 1 else 0).
      { apply (F_once r s1); trivial. intros x. unfold all_cards. rewrite O', concat_app. simpl.
        rewrite !copies_app. lia. }
      match goal with Q : hand_size _ <= 3 |- _ => rewrite Nh in Q; unfold hand_size in Q end.
      unfold keeps. destruct (finish r); lia.
    + match goal with Q : limit_after _ _ _ |- _ => destruct Q as [Q1 Q2] end.
      destruct (lays_down (act t)); auto.
Qed.

(** * The theorem *)

Lemma new_cell : forall r s t s' x, played r s t s' -> laid_at s' x -> laid_at s x \/ target (act t) = Some x.
Proof.
  intros r s t s' x [b a h h' R' d _ _ _ _ Do _ _ _ _ W _ _ _ _] L. unfold laid_at in *. rewrite W in L.
  remember (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s)) as d0 eqn:Ed.
  replace (laid_cards s) with (tow d0) by (rewrite Ed; trivial). clear Ed.
  destruct Do; simpl in *; auto; try (destruct L as [<- | L]; auto; fail);
    left; rewrite map_app in *; exact L.
Qed.

(** A tower whose apex lies is full. *)
Lemma apex_full : forall r W x k, NoDup (map fst W) -> in_pyramid r W -> supported W ->
  In (x, k) W -> lev x = Z.of_nat levels -> length W = full_size.
Proof.
  intros r W x k N P Su I L. pose proof (pyramid_size r W N P) as Le. pose proof P as (l & Pl & In7).
  assert (Ex : x = apex levels l).
  { pose proof (In7 x k I) as Ix. apply cell_ext; unfold inside, apex, levels, col, lev in *;
      cbn [fst snd] in *; lia. }
  assert (A : In (apex levels l) (map fst W)) by (rewrite <- Ex; exact (in_map fst _ _ I)).
  assert (Q : incl (cells levels l) (map fst W)).
  { intros y Y. apply in_cells in Y. exact (apex_bears W l Su A y Y). }
  apply NoDup_incl_length in Q; [| apply cells_nodup]. rewrite map_length in Q.
  unfold full_size in *. enough (length (cells levels l) = 28) by lia.
  unfold places in Pl. destruct (floating r); simpl in Pl; intuition (subst; vm_compute; trivial).
Qed.

(** "Before it no turn leaves the tower full, unless under [win_on_completion], or by an apex over a down
    card under [no_win], or with an apex that lay at the start." *)
Lemma apex_anew : forall r lim s t s1 anew, sound r s1 -> supported (laid_cards s1) ->
  played r s t s1 -> fair r lim s t s1 -> goes_on r s t s1 ->
  early_apex r <> win_on_completion -> (apex_lies s -> anew = true) ->
  (early_apex r = no_win -> anew = true) -> apex_lies s1 -> anew = true.
Proof.
  intros r lim s t s1 anew S1 Su P (_ & _ & _ & Fb) (Nw & Ls & _) Ea As An (x & k & I & L).
  assert (Lx : laid_at s1 x) by (apply laid_at_in; eauto).
  destruct (new_cell _ _ _ _ x P Lx) as [Q | Q].
  - apply As. apply laid_at_in in Q. destruct Q as (k' & Q). exists x, k'. auto.
  - assert (T : exists y, target (act t) = Some y /\ lev y = Z.of_nat levels) by eauto.
    assert (E : early_apex r = forbidden \/ early_apex r = loses \/ early_apex r = no_win).
    { destruct (early_apex r); auto. congruence. }
    destruct E as [E | [E | E]]; [| | exact (An E)]; exfalso; apply Nw.
    + unfold won. rewrite E. repeat split; trivial.
      * exact (apex_full r _ x k (sound_cells _ _ S1) (sound_pyramid _ _ S1) Su I L).
      * intros y [c | c] J; trivial. destruct (Fb E T y c J).
    + unfold won. rewrite E. repeat split; trivial.
      * exact (apex_full r _ x k (sound_cells _ _ S1) (sound_pyramid _ _ S1) Su I L).
      * intros y [c | c] J; trivial. destruct (Ls E T y c J).
Qed.

Lemma all_up_none_down : forall W, (forall x l, In (x, l) W -> is_up l = true) -> down_cards W = 0.
Proof.
  induction W as [| [x l] W IH]; intros U; trivial. rewrite down_cons, IH, (U x l); simpl; auto.
  intros y k I. apply (U y k). simpl. auto.
Qed.

Lemma acts_of_turn : forall r t s', skipped r = false -> not_lost r t s' -> act t <> Pass.
Proof. intros r t s' Sk N E. unfold not_lost in N. rewrite E in N. congruence. Qed.

(** A turn of the game beside one of the table: cards drawn, an action with what it leaves; it opens a card if
    the turn does, and leaves as many cells empty and cards down. *)
Definition same_turn (r : rulings) (g : counts) (t : turn) (s1 : table) (d n e dn j : nat) (o : bool) :
  Prop :=
  d <= draws_most r g /\ d <= stack g /\ mover g < length (owns g) /\
  acts r (nth (mover g) (owns g) 0 + d) (empties g) (downs g) n e dn j o (lays_down (act t)) /\
  (o = true <-> exists x c, act t = C x c) /\
  length (laid_cards s1) + e = full_size /\ dn = down_cards (laid_cards s1).

(** The turn that wins wins the game; *)
Lemma beside_last : forall r lim s t s' g, skipped r = false -> sound r s -> supported (laid_cards s) ->
  played r s t s' -> not_lost r t s' -> fair r lim s t s' -> won r t s' ->
  beside r lim s (all_D [t] + all_spent [t]) g ->
  exists d n e dn j o, same_turn r g t s' d n e dn j o /\
    wins_now r o (after r g d n e dn j (lays_down (act t))).
Proof.
  intros r lim s t s' g Sk S Su P N Fa Wn Bs. unfold all_D, all_spent in Bs. simpl in Bs.
  rewrite !Nat.add_0_r in Bs.
  replace (is_D (act t) + spent (act t)) with (is_D (act t) + spent (act t) + 0) in Bs by lia.
  destruct (game_turn r lim s 0 g t s' S Su P Fa (acts_of_turn r t s' Sk N) Bs)
    as (d & n & e & dn & j & o & D1 & D2 & Ml & Ac & Oc & Em & Dn & Ow & _).
  exists d, n, e, dn, j, o. split; [repeat split; trivial; apply Oc |].
  destruct Wn as (Fu & Up & Wn). unfold wins_now. repeat split; [lia | | lia |].
  - rewrite Dn. apply all_up_none_down. trivial.
  - destruct o; [right | auto]. destruct (proj1 Oc eq_refl) as (x & c & E). rewrite E in Wn.
    destruct (early_apex r); trivial; destruct Wn as (y & Y & _); discriminate.
Qed.

(** after any other one the game goes on beside the table. *)
Lemma beside_next : forall r lim lim' s t s1 ts s' g anew, skipped r = false -> sound r s ->
  supported (laid_cards s) -> played r s t s1 -> not_lost r t s1 -> fair r lim s t s1 -> goes_on r s t s1 ->
  limit_after t s1 lim' -> wins_fairly r lim' s1 ts s' ->
  beside r lim s (all_D (t :: ts) + all_spent (t :: ts)) g ->
  (early_apex r <> win_on_completion -> apex_lies s -> anew = true) ->
  (early_apex r = no_win -> anew = true) ->
  sound r s1 /\ supported (laid_cards s1) /\
  (early_apex r <> win_on_completion -> apex_lies s1 -> anew = true) /\
  exists d n e dn j o h, same_turn r g t s1 d n e dn j o /\
    continues r anew (after r g d n e dn j (lays_down (act t))) h /\
    beside r lim' s1 (all_D ts + all_spent ts) h.
Proof.
  intros r lim lim' s t s1 ts s' g anew Sk S Su P N Fa G L W Bs As An.
  replace (all_D (t :: ts) + all_spent (t :: ts)) with
    (is_D (act t) + spent (act t) + (all_D ts + all_spent ts)) in Bs
    by (unfold all_D, all_spent; simpl; lia).
  destruct (game_turn r lim s _ g t s1 S Su P Fa (acts_of_turn r t s1 Sk N) Bs)
    as (d & n & e & dn & j & o & D1 & D2 & Ml & Ac & Oc & Em & Dn & Ow & Nx).
  set (h := after r g d n e dn j (lays_down (act t))) in *.
  pose proof (turn_sound _ _ _ _ S P) as S1.
  assert (Su1 : supported (laid_cards s1)) by (eapply turn_supported; eauto; apply Fa).
  specialize (Nx (proj2 (proj2 G)) lim' L).
  assert (As1 : early_apex r <> win_on_completion -> apex_lies s1 -> anew = true).
  { intros Ea Al. exact (apex_anew r lim s t s1 anew S1 Su1 P Fa G Ea (As Ea) An Al). }
  assert (Sm : same_turn r g t s1 d n e dn j o) by (repeat split; trivial; apply Oc).
  repeat (split; [assumption |]). exists d, n, e, dn, j, o.
  destruct (Nat.eq_dec (empties h) 0) as [E0 | E0].
  - destruct (early_apex r) eqn:Ea.
    3: { exists h. split; [exact Sm |]. split; [apply goes_on_full |]; trivial. }
    all: assert (Ne : early_apex r <> win_on_completion) by congruence; rewrite <- Ea in *;
      assert (Al : apex_lies s1) by (
        destruct (full_apex r _ (sound_cells _ _ S1) (sound_pyramid _ _ S1) ltac:(lia)) as (l & Q);
        assert (I : In (apex levels l) (map fst (laid_cards s1))) by (apply Q; cell_lia);
        apply in_map_iff in I; destruct I as ([x k] & X & I); simpl in X; exists x, k; split; trivial;
        subst x; trivial);
      pose proof (fairly_wins _ _ _ _ _ W) as Wn;
      assert (Ff : finish r = false) by (destruct (finish r) eqn:Fv; trivial;
        destruct (apex_finish_dead r s1 S1 Ne Al Fv _ _ Wn));
      assert (One : 1 <= all_D ts) by (destruct Al as (x & k & I & Lx);
        destruct (apex_again r s1 ts s' x S1 Wn) as (u & U & Ru);
          [apply laid_at_in; eauto | apply again_apex; trivial |];
        apply in_split in U; destruct U as (u1 & u2 & ->); rewrite all_D_app, all_D_cons;
        unfold replaced in Ru; destruct (act u); try discriminate; simpl; lia);
      exists (owed_anew h); split; [exact Sm |]; split; [apply goes_on_again; auto |];
      destruct Nx as [N1 N2 N3 N4 N5 N6 N7]; split; trivial; cbn [owed_anew owe]; lia.
  - exists h. split; [exact Sm |]. split; [apply goes_on_empty |]; trivial.
Qed.

(** "Follow a continuation that wins, and beside it play the counting game." *)
Theorem play_beside : forall r lim s ts s', wins_fairly r lim s ts s' -> skipped r = false ->
  forall g anew, sound r s -> supported (laid_cards s) -> beside r lim s (all_D ts + all_spent ts) g ->
  (early_apex r <> win_on_completion -> apex_lies s -> anew = true) ->
  (early_apex r = no_win -> anew = true) -> game_won r anew g.
Proof.
  intros r lim s ts s' W Sk.
  induction W as [lim s t s' P N Fa Wn | lim lim' s t s1 ts s' P N Fa G L W IH]; intros g anew S Su Bs As An.
  - destruct (beside_last r lim s t s' g Sk S Su P N Fa Wn Bs)
      as (d & n & e & dn & j & o & (D1 & D2 & Ml & Ac & _) & Now).
    exact (won_now r anew g d n e dn j o _ D1 D2 Ac Ml Now).
  - destruct (beside_next r lim lim' s t s1 ts s' g anew Sk S Su P N Fa G L W Bs As An)
      as (S1 & Su1 & As1 & d & n & e & dn & j & o & h & (D1 & D2 & Ml & Ac & _) & Cn & Bs1).
    exact (won_later r anew g d n e dn j o _ h D1 D2 Ac Ml Cn (IH h anew S1 Su1 Bs1 As1 An)).
Qed.

(** The counting game of a table: what the limit of the draw is at most, and what is owed at least. *)
Definition game_of (s : table) (lim owed : nat) : counts :=
  Counts (due s) (map (@length card) (own s)) (length (deck s)) (full_size - length (laid_cards s))
    (down_cards (laid_cards s)) owed (Some lim).

Lemma game_beside : forall r s lim owed left, sound r s -> owed <= left ->
  beside r lim s left (game_of s lim owed).
Proof.
  intros r s lim owed left S Ow. pose proof (pyramid_size r _ (sound_cells _ _ S) (sound_pyramid _ _ S)).
  split; unfold game_of; cbn [mover owns stack empties downs owe allowance]; trivial; try lia.
  clear. induction (own s) as [| h l IH]; simpl; constructor; trivial.
Qed.

(** If the counting game is lost, no continuation wins that keeps the clauses asked for here: the limits
    of draw and hand, no fill after the action, supports, and the ends of the game. *)
Theorem counting_game_dead : forall r s lim owed anew, sound r s -> supported (laid_cards s) ->
  skipped r = false ->
  (forall ts s', wins r s ts s' -> owed <= all_D ts + all_spent ts) ->
  (early_apex r <> win_on_completion -> apex_lies s -> anew = true) ->
  (early_apex r = no_win -> anew = true) ->
  ~ game_won r anew (game_of s lim owed) -> forall ts s', ~ wins_fairly r lim s ts s'.
Proof.
  intros r s lim owed anew S Su Sk Ow As An Lost ts s' W. apply Lost.
  apply (play_beside r lim s ts s' W Sk); trivial. apply game_beside; trivial.
  apply (Ow ts s'). exact (fairly_wins _ _ _ _ _ W).
Qed.
