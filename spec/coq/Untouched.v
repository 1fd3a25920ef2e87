(** Reductions of the exhaustive search: search.md, "reserve" (Lemma 5) and "shut" (Lemma 6). *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach Game Turns Counting Witness.
Import ListNotations.
Open Scope nat_scope.

(** * What actions D pay *)

(** Cells that owe a D, each at a price of 1 at most, cost no more than the turns do that take cards of the
    final tower. *)
Lemma owing_paid : forall r s ts s' (w : cell * laid -> nat) (cost : turn -> nat),
  sound r s -> run r s ts s' -> (forall e, w e <= 1) ->
  (forall p k, In (p, k) (laid_cards s') -> w (p, k) <> 0 -> owes s ts s' p) ->
  (forall t c, taken t = Some c -> In c (faces (laid_cards s')) -> 1 <= cost t) ->
  sum w (laid_cards s') <= total cost ts.
Proof.
  intros r s ts s' w cost S R One Ow Pays. pose (f := fun e => negb (w e =? 0)).
  assert (E : forall T, sum w T <= sum (fun _ : cell => 1) (map fst (filter f T))).
  { intros T. induction T as [| e T IH]; simpl; trivial. unfold f at 1. specialize (One e).
    destruct (Nat.eqb_spec (w e) 0); simpl; lia. }
  eapply Nat.le_trans; [apply E |]. apply different_turns with (needs := serves s ts s').
  - apply filter_once. exact (run_cells _ _ _ _ R (sound_cells _ _ S)).
  - intros p P. apply in_map_iff in P. destruct P as ([q k] & Q & P). simpl in Q. subst q.
    apply filter_In in P. destruct P as [P Fp]. unfold f in Fp. apply negb_true_iff, Nat.eqb_neq in Fp.
    destruct (owed_D r s ts s' p R (sound_cards _ _ S) (Ow p k P Fp)) as (i & Sv). exists i.
    pose proof Sv as (t & k' & En & I & T & _). exists t. repeat split; trivial. apply (Pays t _ T).
    exact (in_map (fun e => face (snd e)) _ _ I).
  - intros p q i _ _. apply (owed_different r s ts s' p q i R (sound_cards _ _ S)).
Qed.

Lemma taken_D : forall t c, taken t = Some c -> is_D (act t) = 1.
Proof. intros t c T. unfold taken in T. destruct (act t); try discriminate. trivial. Qed.

(** * Lemma 5 *)

(** The price of a final tower, as under [exchanges] with t(v) = 1. *)
Definition costs (r : rulings) (s : table) (T : tower) (n : nat) : Prop :=
  final r s T /\ has_price r s T /\ tower_price r true s T = n.

(** c is the least price, or less. *)
Definition least_price (r : rulings) (s : table) (c : nat) : Prop := forall T n, costs r s T n -> c <= n.

(** "A Glass card of the Reserve is idle when every final tower with it is dearer than c." *)
Definition idle (r : rulings) (s : table) (c : nat) (v : Z) : Prop :=
  In (Glass v) (reserve s) /\ forall T n, costs r s T n -> In (Glass v) (faces T) -> c < n.

Lemma wins_costs : forall r s ts s', sound r s -> wins r s ts s' ->
  costs r s (laid_cards s') (tower_price r true s (laid_cards s')).
Proof.
  intros r s ts s' S W. split; [exact (wins_final _ _ _ _ S W) |]. split; trivial.
  exact (price_had _ _ _ _ S W).
Qed.

(** "A D that takes r is then none of those of Lemma 2 in table.md, which take cards of the final tower": a
    continuation that wins and takes an idle card has more actions D than the least price. *)
Lemma idle_costs_more : forall r s c v ts s' t, sound r s -> least_price r s c -> idle r s c v ->
  wins r s ts s' -> In t ts -> taken t = Some (Glass v) -> c < all_D ts.
Proof.
  intros r s c v ts s' t S Least [_ Idle] W I T. pose proof (wins_costs _ _ _ _ S W) as Co.
  destruct (in_dec card_dec (Glass v) (faces (laid_cards s'))) as [Hold | Not].
  - pose proof (Idle _ _ Co Hold). pose proof (price_paid r true _ _ _ S W). lia.
  - set (cost := fun t => match taken t with Some d => if card_dec d (Glass v) then 0 else 1 | None => 0 end).
    assert (Paid : tower_price r true s (laid_cards s') <= total cost ts).
    { apply (owing_paid r s ts s' (price r true s) cost S (wins_run _ _ _ _ W)).
      - apply price_one.
      - intros p k P N. exact (price_owes r true s ts s' p k S W P N).
      - intros u d U D. unfold cost. rewrite U. destruct (card_dec d (Glass v)); [subst; tauto | lia]. }
    assert (Less : total cost ts < all_D ts).
    { assert (Each : forall u, cost u <= is_D (act u)).
      { intros u. unfold cost. destruct (taken u) as [d |] eqn:U; [rewrite (taken_D u d U) | lia].
        destruct (card_dec d (Glass v)); lia. }
      assert (Sum : forall us, total cost us <= all_D us).
      { intros us. unfold all_D. induction us as [| u us IH]; simpl; [lia |]. specialize (Each u). lia. }
      clear - I T Each Sum. unfold all_D in *. induction ts as [| u us IH]; simpl; [destruct I |].
      destruct I as [-> | I].
      - specialize (Sum us). rewrite (taken_D t _ T). unfold cost at 1. rewrite T.
        destruct (card_dec (Glass v) (Glass v)); [lia | tauto].
      - specialize (IH I). specialize (Each u). lia. }
    specialize (Least _ _ Co). lia.
Qed.

(** Lemma 5 where c is the slack: "from a tight position no winning continuation takes an idle card by D." *)
Theorem idle_not_taken : forall r s c v ts s', sound r s -> least_price r s c -> idle r s c v ->
  Z.of_nat c = spare s -> wins r s ts s' -> forall t, In t ts -> taken t <> Some (Glass v).
Proof.
  intros r s c v ts s' S Least Idle Slack W t I T.
  pose proof (idle_costs_more r s c v ts s' t S Least Idle W I T). apply account in W.
  unfold spare in Slack. lia.
Qed.

(** Lemma 5 where the counting game is lost with c + 1 owed. *)
Theorem idle_not_taken_game : forall r s lim anew c v ts s', sound r s -> supported (laid_cards s) ->
  skipped r = false -> least_price r s c -> idle r s c v ->
  (early_apex r <> win_on_completion -> apex_lies s -> anew = true) ->
  (early_apex r = no_win -> anew = true) ->
  ~ game_won r anew (game_of s lim (S c)) -> wins_fairly r lim s ts s' ->
  forall t, In t ts -> taken t <> Some (Glass v).
Proof.
  intros r s lim anew c v ts s' Sd Su Sk Least Idle As An Lost W t I T. apply Lost.
  pose proof (idle_costs_more r s c v ts s' t Sd Least Idle (fairly_wins _ _ _ _ _ W) I T) as More.
  apply (play_beside r lim s ts s' W Sk); trivial. apply game_beside; [trivial | lia].
Qed.

(** "Slack 0 is the plainest case: every Glass card of the Reserve is idle." *)
Theorem reserve_idle : forall r s v, sound r s -> In (Glass v) (reserve s) -> idle r s 0 v.
Proof.
  intros r s v S Rv. split; trivial. intros T n (Fi & _ & <-) I. unfold faces in I. apply in_map_iff in I.
  destruct I as ([p k] & E & I). simpl in E.
  assert (One : price r true s (p, k) = 1).
  { unfold price. simpl. rewrite E. destruct (at_cell (laid_cards s) p) as [k' |] eqn:A.
    - apply at_cell_in in A; [| apply S].
      destruct (same_card (face k') (Glass v)) eqn:D; simpl; [| rewrite orb_true_r; trivial].
      apply same_card_true in D. exfalso. apply (one_place s (Glass v) (sound_cards _ _ S)).
      + rewrite <- D. exact (in_map (fun e => face (snd e)) _ _ A).
      + apply in_or_app. auto.
    - rewrite (proj2 (holds_true _ _) Rv). trivial. }
  apply in_split in I. destruct I as (T1 & T2 & ->). unfold tower_price. rewrite sum_app. simpl. lia.
Qed.

(** * Lemma 6 *)

(** "An up Glass card u on q is against x when the numbers are the wrong way round for their cells": x lies on
    p. *)
Definition against (p q : cell) (x u : Z) : bool := ((belowb q p && (x <? u)) || (belowb p q && (u <? x)))%Z.

(** "Let A be the cells of all cards against x." *)
Definition opposed (s : table) (p : cell) (x : Z) (q : cell) : bool :=
  match at_cell (laid_cards s) q with Some (Up (Glass u)) => against p q x u | _ => false end.

(** "Each cell of A costing 1 whatever number ends there (where [replace_target] forbids to replace its card,
    nothing may), and all else costing what it does under [exchanges]." *)
Definition shut_price (r : rulings) (s : table) (p : cell) (x : Z) (e : cell * laid) : nat :=
  if opposed s p x (fst e) then 1 else price r true s e.

Definition shut (r : rulings) (s : table) (p : cell) (x : Z) : Prop :=
  (exists q, opposed s p x q = true) /\
  forall T, final r s T -> has_price r s T -> (forall q, opposed s p x q = true -> ~ kept r s q) ->
    (spare s < Z.of_nat (sum (shut_price r s p x) T))%Z.

(** 30 up on f1 against 20 that lies down on g1, and so the 20 against the 30. *)
Example against_example :
  let f1 := (5, 1)%Z in let g1 := (6, 1)%Z in
  let s := Table [[]; []] [] [(g1, Down (Glass 20)); (f1, Up (Glass 30))] [] [] 0 false false in
  against g1 f1 20 30 = true /\ against f1 g1 30 20 = true /\ against g1 f1 30 20 = false /\
  opposed s g1 20 f1 = true /\ opposed s g1 31 f1 = false /\
  shut_price (plain by_integers) s g1 20 (f1, Up (Glass 30)) = 1 /\
  price (plain by_integers) true s (f1, Up (Glass 30)) = 0.
Proof. vm_compute. repeat split; reflexivity. Qed.

(** With slack 0 a card is shut when any card is against it. *)
Theorem opposed_shut : forall r s p x q, sound r s -> (spare s <= 0)%Z ->
  opposed s p x q = true -> shut r s p x.
Proof.
  intros r s p x q S Sl Ag. split; [exists q; trivial |]. intros T Fi _ _.
  assert (L : laid_at s q).
  { unfold opposed in Ag. destruct (at_cell (laid_cards s) q) as [k |] eqn:At; [| discriminate].
    apply at_cell_in in At; [| apply S]. apply laid_at_in. eauto. }
  apply (final_laid _ _ _ Fi) in L. apply in_map_iff in L. destruct L as (e & E & I).
  apply in_split in I. destruct I as (T1 & T2 & ->). rewrite sum_app. simpl.
  assert (One : shut_price r s p x e = 1) by (unfold shut_price; rewrite E, Ag; trivial). lia.
Qed.

(** A card that is up stays so where it lies. *)
Lemma does_stays_up : forall d a d', does d a d' -> forall p c, In (p, Up c) (tow d) ->
  (match a with D _ _ _ _ x (Some _) => x <> p | _ => True end) -> In (p, Up c) (tow d').
Proof.
  intros d a d' H p c I N. destruct H; simpl in *; auto;
    apply in_app_or in I; apply in_or_app; simpl; destruct I as [I | [I | I]]; auto; inversion I; congruence.
Qed.

Lemma turn_stays_up : forall r s t s' p c, played r s t s' -> In (p, Up c) (laid_cards s) ->
  replaced t <> Some p -> In (p, Up c) (laid_cards s').
Proof.
  intros r s t s' p c [b a h h' R' d _ _ _ _ Do _ _ _ _ W _ _ _ _] I N. rewrite W.
  apply (does_stays_up _ _ _ Do); trivial. unfold replaced in N.
  destruct (act t) as [| | | ? ? ? ? ? [|] |]; trivial. congruence.
Qed.

Lemma run_stays_up : forall r s ts s' p c, run r s ts s' -> In (p, Up c) (laid_cards s) ->
  (forall t, In t ts -> replaced t <> Some p) -> In (p, Up c) (laid_cards s').
Proof.
  intros r s ts s' p c R. induction R as [s | s t s1 ts s2 P _ _ IH]; intros I N; trivial.
  apply IH; [| intros u U; apply N; right; trivial].
  apply (turn_stays_up r s t s1 p c P I). apply N. left. trivial.
Qed.

(** ** Numbers rise along the cards between *)

Section Way.
  Variables (r : rulings) (W : tower).
  Hypothesis Value : finish_value r <> no_number.

  (** F below the apex has a number, and every other card. *)
  Lemma has_value : forall h x k, In (x, k) W -> (lev x < Z.of_nat levels)%Z -> exists n, bears r h W x n.
  Proof.
    intros h x k I L. destruct k as [c | c]; [| exists (h x); right; eauto].
    assert (N : exists n, read r x c = Some n).
    { unfold read, num. destruct c as [v |]; [eauto |].
      destruct (finish_value r); try tauto; [eauto |].
      destruct (Z.eqb_spec (lev x) (Z.of_nat levels)); [lia | eauto]. }
    destruct N as (n & N). exists n. left. exists c. auto.
  Qed.

  Variable h : cell -> Z.
  Hypothesis Up_to : forall x, In x (map fst W) -> (lev x <= Z.of_nat levels)%Z.
  Variables row btw : bool.
  Hypothesis Or : ordered row btw (bears r h W).

  Lemma less_le : forall strict a b, less strict a b -> (a <= b)%Z.
  Proof. intros strict a b H. unfold less in H. destruct strict; lia. Qed.

  (** Cells of a tower from which on the supports lie. *)
  Variable base : tower.
  Hypothesis Su : supported base.
  Hypothesis Sub : forall x, In x (map fst base) -> In x (map fst W).

  (** "p's left supports down to that level hold cards", with numbers that rise up to that of p. *)
  Lemma left_way : forall i p b, In p (map fst base) -> (Z.of_nat i < lev p)%Z -> bears r h W p b ->
    exists a, In (col p, lev p - Z.of_nat i)%Z (map fst base) /\
      bears r h W (col p, lev p - Z.of_nat i)%Z a /\ (a <= b)%Z.
  Proof.
    induction i as [| i IH]; intros p b P L B.
    - exists b. replace (col p, lev p - Z.of_nat 0)%Z with p by (apply cell_ext; cell_lia).
      repeat split; trivial; lia.
    - destruct (IH p b P ltac:(lia) B) as (a & A1 & A2 & A3). set (y := (col p, lev p - Z.of_nat i)%Z) in *.
      apply in_map_iff in A1. destruct A1 as ([y' k] & E & A1). simpl in E. subst y'.
      destruct (Su y k A1) as [Q _]; [cell_lia |].
      assert (Ey : left_support y = (col p, lev p - Z.of_nat (S i))%Z)
        by (apply cell_ext; unfold y; cell_lia).
      rewrite Ey in Q. pose proof (Sub _ Q) as Q'. apply in_map_iff in Q'. destruct Q' as ([z m] & Ez & Q').
      cbn [fst] in Ez. subst z.
      pose proof (Up_to p (Sub p P)) as Lp.
      destruct (has_value h _ m Q') as (c & C); [cell_lia |]. exists c. repeat split; trivial.
      destruct Or as (_ & St & _). rewrite <- Ey in C. pose proof (less_le _ _ _ (St y c a C A2)). lia.
  Qed.

  Lemma right_way : forall i q a, In q (map fst base) -> (Z.of_nat i < lev q)%Z -> bears r h W q a ->
    exists b, In (col q + Z.of_nat i, lev q - Z.of_nat i)%Z (map fst base) /\
      bears r h W (col q + Z.of_nat i, lev q - Z.of_nat i)%Z b /\ (a <= b)%Z.
  Proof.
    induction i as [| i IH]; intros q a Q L A.
    - exists a. replace (col q + Z.of_nat 0, lev q - Z.of_nat 0)%Z with q by (apply cell_ext; cell_lia).
      repeat split; trivial; lia.
    - destruct (IH q a Q ltac:(lia) A) as (b & B1 & B2 & B3).
      set (y := (col q + Z.of_nat i, lev q - Z.of_nat i)%Z) in *.
      apply in_map_iff in B1. destruct B1 as ([y' k] & E & B1). simpl in E. subst y'.
      destruct (Su y k B1) as [_ P]; [cell_lia |].
      assert (Ey : right_support y = (col q + Z.of_nat (S i), lev q - Z.of_nat (S i))%Z)
        by (apply cell_ext; unfold y; cell_lia).
      rewrite Ey in P. pose proof (Sub _ P) as P'. apply in_map_iff in P'. destruct P' as ([z m] & Ez & P').
      cbn [fst] in Ez. subst z.
      pose proof (Up_to q (Sub q Q)) as Lq.
      destruct (has_value h _ m P') as (c & C); [cell_lia |]. exists c. repeat split; trivial.
      destruct Or as (_ & _ & St). rewrite <- Ey in C. pose proof (less_le _ _ _ (St y b c B2 C)). lia.
  Qed.

  (** A cell bears one number. *)
  Hypothesis Once : NoDup (map fst W).

  Lemma bears_once : forall x a b, bears r h W x a -> bears r h W x b -> a = b.
  Proof.
    intros x a b [(c & I & R) | (c & I & ->)] [(d & J & R') | (d & J & ->)]; trivial;
      pose proof (once_laid W x _ _ Once I J) as E; inversion E; subst. congruence.
  Qed.

  (** "Along these cells numbers rise from u to x." *)
  Lemma way_rises : forall q p a b, In q (map fst base) -> In p (map fst base) ->
    (1 <= lev q)%Z -> (1 <= lev p)%Z -> below q p -> bears r h W q a -> bears r h W p b -> (a <= b)%Z.
  Proof.
    intros q p a b Q P Lq Lp (N & C1 & C2) A B. destruct Or as (Row & _ & _).
    assert (In_row : forall x y n m, bears r h W x n -> bears r h W y m -> lev x = lev y ->
      (col x <= col y)%Z -> (n <= m)%Z).
    { intros x y n m X Y L C. destruct (Z.eq_dec (col x) (col y)) as [E | E].
      - rewrite (cell_ext x y E L) in X. rewrite (bears_once y n m X Y). lia.
      - apply (less_le row). apply (Row x y n m X Y L). lia. }
    destruct (Z_le_gt_dec (lev q) (lev p)) as [L | L].
    - destruct (left_way (Z.to_nat (lev p - lev q)) p b P) as (a' & _ & A' & Le); trivial; [lia |].
      rewrite Z2Nat.id in A' by lia.
      pose proof (In_row q _ a a' A A'). cell_lia.
    - destruct (right_way (Z.to_nat (lev q - lev p)) q a Q) as (b' & _ & B' & Le); trivial; [lia |].
      rewrite Z2Nat.id in B' by lia.
      pose proof (In_row _ p b' b B' B). cell_lia.
  Qed.
End Way.

(** While a card against it lies up, an opened card is out of order. *)
Lemma opposed_out_of_order : forall r s W p q x u, finish_value r <> no_number -> facedown r <> ignored ->
  supported (laid_cards s) -> in_pyramid r W -> NoDup (map fst W) ->
  (forall y, laid_at s y -> In y (map fst W)) -> laid_at s p -> laid_at s q ->
  In (p, Up (Glass x)) W -> In (q, Up (Glass u)) W -> against p q x u = true -> ~ numbered r W.
Proof.
  intros r s W p q x u Val Fd Su (l & _ & Py) N More P Q Ip Iq Ag [Ig | (h & _ & Or)]; [tauto |].
  assert (Lev : forall y, In y (map fst W) -> (1 <= lev y <= Z.of_nat levels)%Z).
  { intros y Y. apply in_map_iff in Y. destruct Y as ([z k] & E & Y). simpl in E. subst z.
    exact (proj1 (Py y k Y)). }
  assert (Up_to : forall y, In y (map fst W) -> (lev y <= Z.of_nat levels)%Z) by (intros y Y; apply Lev, Y).
  assert (B : forall y v, In (y, Up (Glass v)) W -> bears r h W y v)
    by (intros y v I; left; exists (Glass v); auto).
  pose proof (way_rises r W Val h Up_to _ _ Or (laid_cards s) Su More N) as Way.
  pose proof (More p P) as Wp. pose proof (More q Q) as Wq. unfold against in Ag.
  apply orb_true_iff in Ag. rewrite !andb_true_iff, !belowb_true, !Z.ltb_lt in Ag.
  destruct Ag as [[Be Lt] | [Be Lt]].
  - pose proof (Way q p u x Q P (proj1 (Lev q Wq)) (proj1 (Lev p Wp)) Be (B _ _ Iq) (B _ _ Ip)). lia.
  - pose proof (Way p q x u P Q (proj1 (Lev p Wp)) (proj1 (Lev q Wq)) Be (B _ _ Ip) (B _ _ Iq)). lia.
Qed.

(** "So each card on a cell of A left it before." *)
Lemma opposed_replaced : forall r s ts s' p x i t q, sound r s -> supported (laid_cards s) ->
  finish_value r <> no_number -> facedown r <> ignored -> opened_stands r = false -> laid_at s p ->
  run r s ts s' -> nth_error ts i = Some t -> act t = C p (Glass x) -> opposed s p x q = true ->
  exists u, In u ts /\ replaced u = Some q.
Proof.
  intros r s ts s' p x i t q S Su Val Fd Os Lp R E Op Ag.
  destruct (replaced_dec ts q) as [| None]; trivial. exfalso.
  unfold opposed in Ag. destruct (at_cell (laid_cards s) q) as [[[u |] |] |] eqn:At; try discriminate.
  apply at_cell_in in At; [| apply S].
  destruct (run_played _ _ _ _ i t R E) as (s1 & s2 & R1 & P & NL).
  assert (Q1 : In (q, Up (Glass u)) (laid_cards s1)).
  { apply (run_stays_up _ _ _ _ q (Glass u) R1 At). intros w Iw. apply None.
    rewrite <- (firstn_skipn i ts). apply in_or_app. auto. }
  assert (Q2 : In (q, Up (Glass u)) (laid_cards s2)).
  { apply (turn_stays_up _ _ _ _ q (Glass u) P Q1). unfold replaced. rewrite Op. discriminate. }
  pose proof (run_sound _ _ _ _ R1 S) as S1. pose proof (turn_sound _ _ _ _ S1 P) as S2.
  assert (Q : laid_at s q) by (apply laid_at_in; eauto).
  assert (More : forall y, laid_at s y -> In y (map fst (laid_cards s2))).
  { intros y Y. exact (turn_laid _ _ _ _ P y (run_laid _ _ _ _ R1 y Y)). }
  assert (P2 : In (p, Up (Glass x)) (laid_cards s2)).
  { destruct P as [b a h h' R' d _ _ _ _ Do _ _ _ _ W _ _ _ _]. rewrite W, Op in *. inversion Do; subst.
    apply in_or_app. simpl. auto. }
  unfold not_lost in NL. rewrite Op, Os in NL. destruct NL as [_ [Nu | Nu]]; [| discriminate]. revert Nu.
  exact (opposed_out_of_order r s (laid_cards s2) p q x u Val Fd Su (sound_pyramid _ _ S2)
    (sound_cells _ _ S2) More Lp Q P2 Q2 Ag).
Qed.

(** Lemma 6, "no continuation that wins opens a shut card where it lies." *)
Theorem shut_not_opened : forall r s p x ts s', sound r s -> supported (laid_cards s) ->
  finish_value r <> no_number -> facedown r <> ignored -> opened_stands r = false ->
  In (p, Down (Glass x)) (laid_cards s) -> shut r s p x -> wins r s ts s' ->
  forall t, In t ts -> act t <> C p (Glass x).
Proof.
  intros r s p x ts s' S Su Val Fd Os Ip [_ Dear] W t I Op. pose proof (wins_run _ _ _ _ W) as R.
  assert (Lp : laid_at s p) by (apply laid_at_in; eauto).
  destruct (In_nth_error _ _ I) as (i & E).
  assert (Left : forall q, opposed s p x q = true -> exists u, In u ts /\ replaced u = Some q).
  { intros q. exact (opposed_replaced r s ts s' p x i t q S Su Val Fd Os Lp R E Op). }
  assert (Laid : forall q, opposed s p x q = true -> laid_at s q).
  { intros q Ag. unfold opposed in Ag. destruct (at_cell (laid_cards s) q) as [k |] eqn:At; [| discriminate].
    apply at_cell_in in At; [| apply S]. apply laid_at_in. eauto. }
  specialize (Dear _ (wins_final _ _ _ _ S W) (price_had _ _ _ _ S W)).
  assert (Paid : sum (shut_price r s p x) (laid_cards s') <= total (fun u => is_D (act u)) ts).
  { apply (owing_paid r s ts s' _ _ S R).
    - intros e. unfold shut_price. destruct (opposed _ _ _ _); [lia | apply price_one].
    - intros q k Q N. unfold shut_price in N. cbn [fst] in N. destruct (opposed s p x q) eqn:Ag.
      + left. split; [apply Laid, Ag | apply Left, Ag].
      + exact (price_owes r true s ts s' q k S W Q N).
    - intros u c U _. rewrite (taken_D u c U). lia. }
  fold (all_D ts) in Paid. assert (No_kept : forall q, opposed s p x q = true -> ~ kept r s q).
  { intros q Ag K. destruct (Left q Ag) as (u & U & Rp).
    exact (run_kept _ _ _ _ q R (sound_cells _ _ S) K u U Rp). }
  specialize (Dear No_kept). apply account in W. unfold spare in Dear. lia.
Qed.

(** The notions can be met: on the table of Witness.v, where nothing may be wasted, all of the Reserve is
    idle, and the game is won. *)
Example idle_met : least_price base last_turn 0 /\ idle base last_turn 0 45 /\
  Z.of_nat 0 = spare last_turn /\ wins base last_turn [lays_apex] won_table.
Proof.
  split; [intros T n _; lia |]. split; [apply reserve_idle; [apply last_turn_sound | vm_compute; auto] |].
  split; [reflexivity | exact last_turn_wins].
Qed.
