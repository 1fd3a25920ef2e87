(** Turns that destroy and drop too many cards for the counting game: search.md, Lemma 4. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach Counting Game Turns LostGame.
Import ListNotations.
Open Scope nat_scope.

(** * "The same counting game with m cards fewer" *)

(** "The player to move has m cards fewer (before the draw fewer than none if need be, but not after it)."
    The limit of a game at its start does not hang on the own cards. *)
Inductive won_fewer (r : rulings) (anew : bool) (m : nat) (g : counts) : Prop :=
| fewer_won : forall d n e dn j o w, d <= draws_most r g -> d <= stack g ->
    m <= nth (mover g) (owns g) 0 + d -> mover g < length (owns g) ->
    acts r (nth (mover g) (owns g) 0 + d - m) (empties g) (downs g) n e dn j o w ->
    (wins_now r o (after r g d n e dn j w) \/
     exists h, continues r anew (after r g d n e dn j w) h /\ game_won r anew h) ->
    won_fewer r anew m g.

Lemma none_fewer : forall r anew g, won_fewer r anew 0 g <-> game_won r anew g.
Proof.
  intros r anew g. split.
  - intros [d n e dn j o w D1 D2 _ M A W]. rewrite Nat.sub_0_r in A.
    destruct W as [W | (h & C & W)]; [eapply won_now | eapply won_later]; eauto.
  - intros [d n e dn j o w D1 D2 A M W | d n e dn j o w h D1 D2 A M C W];
      (apply (fewer_won r anew 0 g d n e dn j o w); trivial; [lia | rewrite Nat.sub_0_r; trivial | eauto]).
Qed.

(** Where the player has as many, the game is that with m own cards fewer. *)
Definition fewer (m : nat) (g : counts) : counts :=
  Counts (mover g) (set_own (mover g) (nth (mover g) (owns g) 0 - m) (owns g)) (stack g) (empties g) (downs g)
    (owe g) (allowance g).

Lemma set_own_again : forall l i a b, set_own i b (set_own i a l) = set_own i b l.
Proof. induction l as [| x l IH]; intros [| i] a b; simpl; trivial. rewrite IH. trivial. Qed.

Lemma set_own_length : forall l i a, length (set_own i a l) = length l.
Proof. induction l as [| x l IH]; intros [| i] a; simpl; auto. Qed.

Lemma set_own_there : forall l i a, i < length l -> nth i (set_own i a l) 0 = a.
Proof.
  induction l as [| x l IH]; intros [| i] a L; simpl in *; trivial; try lia. apply IH. lia.
Qed.

Lemma fewer_owned : forall r anew m g k, allowance g = Some k -> mover g < length (owns g) ->
  m <= nth (mover g) (owns g) 0 -> won_fewer r anew m g -> game_won r anew (fewer m g).
Proof.
  intros r anew m g k Ak L Lm [d n e dn j o w D1 D2 _ _ A W].
  assert (Dm : draws_most r (fewer m g) = draws_most r g).
  { unfold draws_most, limit_of. cbn [fewer allowance]. rewrite Ak. trivial. }
  assert (Af : after r (fewer m g) d n e dn j w = after r g d n e dn j w).
  { unfold after, mover_after. cbn [fewer mover owns stack owe]. rewrite set_own_again, set_own_length.
    trivial. }
  assert (A' : acts r (nth (mover g) (owns (fewer m g)) 0 + d) (empties g) (downs g) n e dn j o w).
  { cbn [fewer owns]. rewrite set_own_there by trivial.
    replace (nth (mover g) (owns g) 0 - m + d) with (nth (mover g) (owns g) 0 + d - m) by lia. trivial. }
  assert (L' : mover g < length (owns (fewer m g))) by (cbn [fewer owns]; rewrite set_own_length; trivial).
  rewrite <- Dm in D1. rewrite <- Af in W. destruct W as [W | (h & C & W)].
  - exact (won_now r anew (fewer m g) d n e dn j o w D1 D2 A' L' W).
  - exact (won_later r anew (fewer m g) d n e dn j o w h D1 D2 A' L' C W).
Qed.

(** * "Owing less and drawing more forbids no turn" *)

Record no_worse (r : rulings) (g h : counts) : Prop := No_worse {
  nw_mover : mover g = mover h;
  nw_owns : owns g = owns h;
  nw_stack : stack g = stack h;
  nw_empties : empties g = empties h;
  nw_downs : downs g = downs h;
  nw_owe : owe g <= owe h;
  nw_limit : limit_of r h <= limit_of r g
}.

Lemma draws_more : forall r g h, limit_of r h <= limit_of r g -> draws_most r h <= draws_most r g.
Proof.
  intros r g h L. unfold draws_most.
  destruct (finish r), (Nat.eqb_spec (limit_of r h) 0), (Nat.eqb_spec (limit_of r g) 0); simpl; lia.
Qed.

Lemma after_no_worse : forall r g h d n e dn j w, no_worse r g h ->
  no_worse r (after r g d n e dn j w) (after r h d n e dn j w).
Proof.
  intros r g h d n e dn j w [M O K _ _ Ow _].
  split; unfold limit_of, after, mover_after; simpl; rewrite ?M, ?O, ?K; trivial; lia.
Qed.

Lemma continues_no_worse : forall r anew g h h', no_worse r g h -> continues r anew h h' ->
  exists g', continues r anew g g' /\ no_worse r g' h'.
Proof.
  intros r anew g h h' N C. pose proof N as [M O K E D Ow L].
  destruct C as [Z | Z Ea | Z Ea A Fv].
  - exists g. split; trivial. apply goes_on_empty. congruence.
  - exists g. split; trivial. apply goes_on_full; congruence.
  - exists (owed_anew g). split; [apply goes_on_again; congruence |].
    split; trivial. cbn [owed_anew owe]. lia.
Qed.

Theorem no_worse_won : forall r anew h, game_won r anew h -> forall g, no_worse r g h -> game_won r anew g.
Proof.
  intros r anew h W. induction W as [h d n e dn j o w D1 D2 A M (E1 & E2 & E3 & E4)
    | h d n e dn j o w h' D1 D2 A M C W IH]; intros g N; pose proof N as [Nm No Nk Ne Nd _ Nl];
    apply draws_more in Nl; pose proof (after_no_worse r g h d n e dn j w N) as Na.
  - apply (won_now r anew g d n e dn j o w); rewrite ?Nm, ?No, ?Nk, ?Ne, ?Nd; trivial; try lia.
    pose proof (nw_owe _ _ _ Na). repeat split; trivial. lia.
  - destruct (continues_no_worse r anew _ _ _ Na C) as (g' & C' & N').
    apply (won_later r anew g d n e dn j o w g'); rewrite ?Nm, ?No, ?Nk, ?Ne, ?Nd; trivial; [lia |].
    apply IH. trivial.
Qed.

(** * The same action with fewer cards *)

(** "The same action, a D as one that pays 1": j - 1 cards fewer are enough. *)
Lemma acts_paying_one : forall r n e dn n' e' dn' j o w, acts r n e dn n' e' dn' j o w -> 1 <= j ->
  acts r (n - (j - 1)) e dn n' e' dn' 1 o w.
Proof.
  intros r n e dn n' e' dn' j o w A L.
  destruct A as [n e dn | n e dn | n e dn | n e dn j | n e dn j | n e dn j | n e dn j | n e dn j | n e dn j];
    try lia; replace (n + S j - (j - 1)) with (n + 2) by lia; constructor; trivial.
Qed.

(** "Without dropping any": h cards fewer, of those that are kept at the table. *)
Lemma acts_undropped : forall r n e dn n' e' dn' j o w h, acts r n e dn n' e' dn' j o w ->
  h = 0 \/ h < n' -> acts r (n - h) e dn (n' - h) e' dn' j o w.
Proof.
  intros r n e dn n' e' dn' j o w h A L.
  destruct A as [n e dn | n e dn | n e dn | n e dn j | n e dn j | n e dn j | n e dn j | n e dn j | n e dn j].
  1, 2: replace (S n - h) with (S (n - h)) by lia; constructor.
  1: constructor.
  1, 2: replace (n + S j - h) with ((n - h) + S j) by lia; constructor; trivial.
  all: replace (n + S j - h) with ((n - h) + S j) by lia; replace (n + 1 - h) with ((n - h) + 1) by lia;
    constructor; trivial.
Qed.

(** The turn of the table in the game: what is drawn, and the action with as many cards fewer as the turn
    destroys and drops.  Its player "then owns as many cards there as at the table". *)
Definition too_many (t : turn) : nat := spent (act t) + length (drop t).

(** LIM01: cards are dropped only from more than three, and three are kept. *)
Definition drops_well (s : table) (t : turn) (s' : table) : Prop :=
  drop t = [] \/ hand_size (nth (due s) (own s') []) = 3.

Lemma set_own_mid : forall (b : list (list card)) h a n,
  set_own (length b) n (map (@length card) (b ++ h :: a)) =
  map (@length card) b ++ n :: map (@length card) a.
Proof. induction b as [| x b IH]; intros h a n; simpl; [trivial | rewrite IH; trivial]. Qed.

Lemma turn_with_fewer : forall r s t s1 lim, sound r s -> supported (laid_cards s) -> played r s t s1 ->
  fair r lim s t s1 -> act t <> Pass -> drops_well s t s1 ->
  let h := nth (due s) (own s) [] in let h1 := nth (due s) (own s1) [] in
  let e := full_size - length (laid_cards s) in let e1 := full_size - length (laid_cards s1) in
  due s < length (own s) /\
  map (@length card) (own s1) = set_own (due s) (length h1) (map (@length card) (own s)) /\
  length (draw t) + length (deck s1) = length (deck s) /\
  too_many t <= length h + length (draw t) /\
  exists o, acts r (length h + length (draw t) - too_many t) e (down_cards (laid_cards s)) (length h1) e1
    (down_cards (laid_cards s1)) (is_D (act t)) o (lays_down (act t)).
Proof.
  intros r s t s1 lim S Su P Fa Np Dw. pose proof (turn_sound _ _ _ _ S P) as S1.
  pose proof P as [b a h0 h' R' d O Lb K _ Do Lg Hd Tr O' W R G Mv Du].
  pose proof Fa as (_ & Fl & _ & _). rewrite Fl in K, Hd. simpl in K, Hd.
  assert (Nh : nth (due s) (own s) [] = h0) by (rewrite O, <- Lb; apply nth_middle).
  assert (Nh1 : nth (due s) (own s1) [] = h') by (rewrite O', <- Lb; apply nth_middle).
  unfold drops_well in Dw. rewrite Nh1 in Dw. cbv zeta. rewrite Nh, Nh1.
  apply Permutation_length in Hd. rewrite app_length in Hd.
  pose proof (does_counts _ _ _ Do) as Ct. simpl in Ct. rewrite app_length in Ct.
  pose proof (pyramid_size r _ (sound_cells _ _ S) (sound_pyramid _ _ S)) as Sz.
  pose proof (pyramid_size r _ (sound_cells _ _ S1) (sound_pyramid _ _ S1)) as Sz1. rewrite W in Sz1.
  destruct (game_acts r _ _ d (full_size - length (laid_cards s)) (length h0 + length (draw t)) Do Lg Np)
    as (n' & e' & o & Ac & Le & Ln & _).
  - rewrite <- W. apply S1.
  - rewrite <- W. apply S1.
  - exact Su.
  - cbn [tow]. lia.
  - cbn [hand]. rewrite app_length. lia.
  - cbn [tow] in Ac. rewrite <- W in *. pose proof (acts_pay _ _ _ _ _ _ _ _ _ _ Ac) as Pay.
    assert (n' = length (hand d)) as -> by lia.
    assert (e' = full_size - length (laid_cards s1)) as -> by lia.
    split; [rewrite O, app_length, <- Lb; simpl; lia |]. split.
    { rewrite O', O, <- Lb, set_own_mid, map_app. trivial. }
    split; [rewrite K, app_length; trivial |].
    assert (Hs : length (drop t) = 0 \/ length (drop t) < length (hand d)).
    { destruct Dw as [-> | Dw]; [auto | right]. unfold hand_size in Dw. lia. }
    assert (Sp : 1 <= is_D (act t) + spent (act t) -> is_D (act t) = 1).
    { destruct (act t); simpl; lia. }
    assert (Em : full_size - length (laid_cards s1) <= full_size - length (laid_cards s)).
    { clear -Ac. destruct Ac; lia. }
    assert (Tm : too_many t <= length h0 + length (draw t)) by (unfold too_many; lia).
    split; trivial. exists o.
    replace (length h') with (length (hand d) - length (drop t)) by lia.
    destruct (Nat.eq_dec (is_D (act t) + spent (act t)) 0) as [Z | Z].
    + rewrite Z in Ac. replace (is_D (act t)) with 0 by lia. unfold too_many.
      replace (spent (act t)) with 0 by lia. apply acts_undropped; trivial.
    + specialize (Sp ltac:(lia)). rewrite Sp in *. apply acts_paying_one in Ac; [| lia].
      apply acts_undropped with (h := length (drop t)) in Ac; trivial. unfold too_many.
      replace (length h0 + length (draw t) - (spent (act t) + length (drop t))) with
        (length h0 + length (draw t) - (1 + spent (act t) - 1) - length (drop t)) by lia. trivial.
Qed.

(** * Lemma 4 *)

(** The hand limit, and F, keep a player within what the game lets keep. *)
Lemma hand_F : forall r s i, sound r s -> copies (nth i (own s) []) F <= if finish r then 1 else 0.
Proof.
  intros r s i S. apply (F_once r s); trivial. intros x.
  destruct (nth_in_or_default i (own s) []) as [I | ->]; [| unfold copies; simpl; lia].
  destruct (in_split _ _ I) as (a & b & E). unfold all_cards.
  rewrite E at 2. rewrite concat_app. simpl. rewrite !copies_app. lia.
Qed.

Lemma kept_hand : forall r s t s1, sound r s1 -> goes_on r s t s1 ->
  length (nth (due s) (own s1) []) <= keeps r.
Proof.
  intros r s t s1 S1 (_ & _ & H). pose proof (hand_F r s1 (due s) S1). unfold hand_size in H. unfold keeps.
  destruct (finish r); lia.
Qed.

(** "No more is owed there than at the table, and the next limit is no lower there." *)
Lemma game_after : forall r s t s1 lim lim1 c c1, sound r s1 -> played r s t s1 -> goes_on r s t s1 ->
  limit_after t s1 lim1 -> c <= c1 + is_D (act t) ->
  map (@length card) (own s1) =
    set_own (due s) (length (nth (due s) (own s1) [])) (map (@length card) (own s)) ->
  length (draw t) + length (deck s1) = length (deck s) ->
  no_worse r (after r (game_of s lim c) (length (draw t)) (length (nth (due s) (own s1) []))
    (full_size - length (laid_cards s1)) (down_cards (laid_cards s1)) (is_D (act t)) (lays_down (act t)))
    (game_of s1 lim1 c1).
Proof.
  intros r s t s1 lim lim1 c c1 S1 P G [L4 Ld] Lc Os Dk.
  pose proof (kept_hand r s t s1 S1 G) as Kp.
  assert (Mv : mover_after (game_of s lim c) = due s1).
  { destruct P as [b a h0 h' R' d _ _ _ _ _ _ _ _ _ _ _ _ _ Du]. rewrite Du.
    unfold mover_after, next. simpl. rewrite map_length. trivial. }
  assert (Ow : set_own (due s) (Nat.min (length (nth (due s) (own s1) [])) (keeps r))
    (map (@length card) (own s)) = map (@length card) (own s1)).
  { rewrite Nat.min_l by trivial. symmetry. trivial. }
  split; trivial; unfold after, game_of; cbn [mover owns stack empties downs owe]; trivial; try lia.
  unfold limit_of. cbn [allowance mover owns]. destruct (lays_down (act t)); [| trivial].
  specialize (Ld eq_refl). fold (game_of s lim c). rewrite Mv, Ow.
  replace (nth (due s1) (map (@length card) (own s1)) 0) with (length (nth (due s1) (own s1) []))
    by (symmetry; apply (map_nth (@length card) (own s1) [] (due s1))).
  pose proof (hand_F r s1 (due s1) S1).
  unfold hand_size in Ld. destruct (finish r); lia.
Qed.

(** A full tower has an apex. *)
Lemma full_apex_lies : forall r s, sound r s -> full_size - length (laid_cards s) = 0 -> apex_lies s.
Proof.
  intros r s S Z. pose proof (pyramid_size r _ (sound_cells _ _ S) (sound_pyramid _ _ S)) as Sz.
  destruct (full_apex r _ (sound_cells _ _ S) (sound_pyramid _ _ S) ltac:(lia)) as (l & Q).
  assert (I : In (apex levels l) (map fst (laid_cards s))) by (apply Q; cell_lia).
  apply in_map_iff in I. destruct I as ([x k] & X & I). simpl in X. exists x, k. split; trivial. subst x.
  trivial.
Qed.

(** Lemma 4: "if that game is lost with m cards fewer, then every turn that destroys and drops m cards
    together leads to a position whose counting game is lost", but for F on the apex.  What is owed after the
    turn is less by one at most, and only by D (Lemma 3), and 1 or more where an apex has to be laid again. *)
Theorem fewer_cards_lost : forall r s t s1 lim lim1 c c1 anew, sound r s -> supported (laid_cards s) ->
  played r s t s1 -> act t <> Pass -> fair r lim s t s1 -> goes_on r s t s1 -> limit_after t s1 lim1 ->
  drops_well s t s1 -> c <= c1 + is_D (act t) ->
  (finish r = false -> early_apex r <> win_on_completion -> apex_lies s1 -> 1 <= c1) ->
  (early_apex r <> win_on_completion -> apex_lies s -> anew = true) ->
  (early_apex r = no_win -> anew = true) ->
  ~ (finish r = true /\ early_apex r <> win_on_completion /\ apex_lies s1) ->
  ~ won_fewer r anew (too_many t) (game_of s lim c) -> ~ game_won r anew (game_of s1 lim1 c1).
Proof.
  intros r s t s1 lim lim1 c c1 anew S Su P Np Fa G La Dw Lc Ag As An Nf Lost W. apply Lost. clear Lost.
  pose proof (turn_sound _ _ _ _ S P) as S1.
  assert (Su1 : supported (laid_cards s1)) by (eapply turn_supported; eauto; apply Fa).
  destruct (turn_with_fewer r s t s1 lim S Su P Fa Np Dw) as (Ld & Os & Dk & Tm & o & Ac).
  pose proof (game_after r s t s1 lim lim1 c c1 S1 P G La Lc Os Dk) as Nw.
  assert (Len : nth (due s) (map (@length card) (own s)) 0 = length (nth (due s) (own s) [])).
  { apply (map_nth (@length card) (own s) [] (due s)). }
  (* The limit allows the draw. *)
  assert (Dm : length (draw t) <= draws_most r (game_of s lim c)).
  { destruct Fa as ([D1 D2] & _). unfold draws_most, limit_of. cbn [game_of allowance].
    assert (C : copies (draw t) F <= if finish r then 1 else 0).
    { apply (F_once r s); trivial. intros x. destruct P as [b a h0 h' R' d _ _ K _ _ _ _ _ _ _ _ _ _ _].
      unfold all_cards. rewrite K, !copies_app. lia. }
    destruct (Nat.eqb_spec lim 0) as [Z | Z]; [rewrite (D2 Z); simpl; lia |].
    destruct (finish r); simpl; lia. }
  set (e1 := full_size - length (laid_cards s1)) in *.
  set (g' := after r (game_of s lim c) (length (draw t)) (length (nth (due s) (own s1) [])) e1
    (down_cards (laid_cards s1)) (is_D (act t)) (lays_down (act t))) in *.
  assert (Go : forall h, continues r anew g' h -> no_worse r h (game_of s1 lim1 c1) ->
    won_fewer r anew (too_many t) (game_of s lim c)).
  { intros h C Nh. apply (fewer_won r anew (too_many t) (game_of s lim c) (length (draw t))
      (length (nth (due s) (own s1) [])) e1 (down_cards (laid_cards s1)) (is_D (act t)) o
      (lays_down (act t)));
      cbn [game_of mover owns stack empties downs]; rewrite ?Len, ?map_length; trivial; [lia |].
    right. exists h. split; trivial. exact (no_worse_won r anew _ W h Nh). }
  destruct (Nat.eq_dec e1 0) as [E1 | E1]; [| apply (Go g'); trivial; apply goes_on_empty; exact E1].
  assert (Woc : early_apex r = win_on_completion \/ early_apex r <> win_on_completion).
  { destruct (early_apex r); auto; right; discriminate. }
  destruct Woc as [Ea | Ea]; [apply (Go g'); trivial; apply goes_on_full; trivial |].
  assert (Al : apex_lies s1) by exact (full_apex_lies r s1 S1 E1).
  assert (Fv : finish r = false) by (destruct (finish r); tauto).
  assert (A : anew = true).
  { exact (apex_anew r lim s t s1 anew S1 Su1 P Fa G Ea (As Ea) An Al). }
  apply (Go (owed_anew g')); [apply goes_on_again; trivial |].
  destruct Nw as [N1 N2 N3 N4 N5 N6 N7]. split; trivial. specialize (Ag Fv Ea Al).
  cbn [owed_anew owe]. cbn [game_of owe] in *. lia.
Qed.

(** ** Examples *)

(** One player with a card, and one empty cell: with a card fewer nothing can be laid. *)
Definition last_card : counts := Counts 0 [1] 0 1 0 0 (Some 1).

Example last_card_wins : won_fewer base true 0 last_card.
Proof.
  apply (fewer_won base true 0 last_card 0 0 0 0 0 false false); simpl; try lia; [constructor |].
  left. repeat split. auto.
Qed.

Example no_card_loses : ~ won_fewer base true 1 last_card.
Proof.
  intros W. apply (fewer_owned base true 1 last_card 1) in W; simpl; trivial; try lia.
  apply (game_lost_right base true 100 (fewer 1 last_card)); [vm_compute; reflexivity | trivial].
Qed.

(** F on the apex is an exception: in the [finish] variant under [no_win] let a full tower have F on the apex
    and one card down, with 4 owed, three own cards each and three in the deck. With one card fewer no D
    pays 4 at once, and the full tower does not go on. A turn that draws one card, opens the down card and
    drops one leads to a game in which the next player draws two and pays 4. *)
Definition with_F : rulings :=
  Rulings true false true true by_integers any_card false no_win is_25 false false true.

Definition F_lies : counts := Counts 0 [3; 3] 3 0 1 4 (Some 1).
Definition F_lies_after : counts := Counts 1 [3; 3] 2 0 0 4 (Some 1).

Example F_lies_lost : ~ won_fewer with_F true 1 F_lies.
Proof.
  intros W. apply (fewer_owned with_F true 1 F_lies 1) in W; simpl; trivial; try lia.
  apply (game_lost_right with_F true 100 (fewer 1 F_lies)); [vm_compute; reflexivity | trivial].
Qed.

Example F_lies_won : game_won with_F true F_lies_after.
Proof.
  apply (won_now with_F true F_lies_after 2 1 0 0 4 false false).
  - vm_compute. lia.
  - simpl. lia.
  - exact (acts_D_up_for_up with_F 0 0 0 4 ltac:(lia)).
  - simpl. lia.
  - repeat split. auto.
Qed.
