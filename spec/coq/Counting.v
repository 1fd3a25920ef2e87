(** Checks of the reasons of table.md on a position, which shows a part of the table.

    What a position does not show is chosen as favourably as can be: it is dead when every table that it may
    be is dead. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach OutOfOrder.
Import ListNotations.
Open Scope nat_scope.

(** * Positions *)

(** A card as a position shows it: [None] is one that is not seen. *)
Definition sight : Type := option card.

Record position : Type := Position {
  p_own : list (list sight);             (* own cards by players; F in front is one of them *)
  p_deck : list sight;
  p_tower : list (cell * (bool * sight)); (* the laid cards; true for those that are up *)
  p_reserve : list sight;
  p_gone : list sight;
  p_due : nat;                           (* the player to move, from 0 *)
  p_limit : nat                          (* the greatest draw limit that the marks leave possible *)
}.

Definition shown_as (o : sight) (c : card) : Prop := match o with Some d => c = d | None => True end.

(** Cards whose order says nothing. *)
Definition seen_as (os : list sight) (cs : list card) : Prop :=
  exists ds, Permutation cs ds /\ Forall2 shown_as os ds.

(** F in front of a player is seen. *)
Definition owned_as (os : list sight) (cs : list card) : Prop :=
  seen_as os cs /\ (In F cs -> In (Some F) os).

Definition lies_as (a : cell * (bool * sight)) (e : cell * laid) : Prop :=
  fst a = fst e /\ fst (snd a) = is_up (snd e) /\ shown_as (snd (snd a)) (face (snd e)).

(** An up 25 on g1 counts as the card of the set-up (decisions.md, D8). *)
Definition anchor_lies (p : position) : bool :=
  existsb (fun a => eqb (fst a) g1 && fst (snd a) &&
    match snd (snd a) with Some (Glass v) => (v =? 25)%Z | _ => false end) (p_tower p).

(** A table that a position may be. *)
Record fits (p : position) (s : table) : Prop := Fits {
  fits_own : Forall2 owned_as (p_own p) (own s);
  fits_deck : seen_as (p_deck p) (deck s);
  fits_tower : Forall2 lies_as (p_tower p) (laid_cards s);
  fits_reserve : seen_as (p_reserve p) (reserve s);
  fits_gone : seen_as (p_gone p) (gone s);
  fits_due : due s = p_due p;
  fits_limit : p_limit p = 0 -> no_draw s = true;
  fits_moved : moved s = negb (anchor_lies p)
}.

Definition dead_position (r : rulings) (p : position) : Prop := forall s, sound r s -> fits p s -> dead r s.

(** ** What can be read off a position *)

Lemma all2_length : forall X Y (R : X -> Y -> Prop) l m, Forall2 R l m -> length l = length m.
Proof. intros X Y R l m H. induction H; simpl; auto. Qed.

Lemma all2_left : forall X Y (R : X -> Y -> Prop) l m x,
  Forall2 R l m -> In x l -> exists y, In y m /\ R x y.
Proof.
  intros X Y R l m x H. induction H as [| a b l m A H IH]; simpl; [tauto |].
  intros [-> | I]; [eauto |]. destruct (IH I) as (y & J & Q). eauto.
Qed.

Lemma all2_right : forall X Y (R : X -> Y -> Prop) l m y,
  Forall2 R l m -> In y m -> exists x, In x l /\ R x y.
Proof.
  intros X Y R l m y H. induction H as [| a b l m A H IH]; simpl; [tauto |].
  intros [-> | I]; [eauto |]. destruct (IH I) as (x & J & Q). eauto.
Qed.

Lemma seen_length : forall os cs, seen_as os cs -> length cs = length os.
Proof.
  intros os cs (ds & P & H). apply all2_length in H. apply Permutation_length in P. congruence.
Qed.

Lemma seen_some : forall os cs c, seen_as os cs -> In (Some c) os -> In c cs.
Proof.
  intros os cs c (ds & P & H) I. destruct (all2_left _ _ _ _ _ _ H I) as (d & J & E). simpl in E. subst d.
  apply (Permutation_in _ (Permutation_sym P)). trivial.
Qed.

Lemma seen_all : forall os cs c, seen_as os cs -> ~ In None os -> In c cs -> In (Some c) os.
Proof.
  intros os cs c (ds & P & H) N I. apply (Permutation_in _ P) in I.
  destruct (all2_right _ _ _ _ _ _ H I) as ([d |] & J & E); [simpl in E; subst; trivial | tauto].
Qed.

Definition p_size (l : list (list sight)) : nat := sum (@length sight) l.

Lemma size_own : forall ps os, Forall2 owned_as ps os -> length (concat os) = p_size ps.
Proof.
  intros ps os H. unfold p_size. induction H as [| a b l m [A _] H IH]; simpl; trivial.
  rewrite app_length, IH, (seen_length _ _ A). trivial.
Qed.

(** S and e can be counted. *)
Definition p_cards (p : position) : nat := p_size (p_own p) + length (p_deck p).

Lemma fits_cards : forall p s, fits p s -> cards_left s = p_cards p.
Proof.
  intros p s H. unfold cards_left, p_cards.
  rewrite (size_own _ _ (fits_own _ _ H)), (seen_length _ _ (fits_deck _ _ H)). trivial.
Qed.

Lemma fits_laid : forall p s, fits p s -> length (laid_cards s) = length (p_tower p).
Proof. intros p s H. symmetry. exact (all2_length _ _ _ _ _ (fits_tower _ _ H)). Qed.

(** * Cards against empty cells *)

Definition cards_check (p : position) : bool := p_cards p + length (p_tower p) <? full_size.

Theorem cards_check_dead : forall r p, cards_check p = true -> dead_position r p.
Proof.
  intros r p C s _ H. apply cards_dead. unfold cards_check in C. apply Nat.ltb_lt in C.
  unfold empty_cells. rewrite (fits_cards _ _ H), (fits_laid _ _ H). lia.
Qed.

(** * A player who can do nothing *)

Definition empty {X : Type} (l : list X) : bool := match l with [] => true | _ => false end.

Definition stuck_check (r : rulings) (p : position) : bool :=
  negb (skipped r) && (p_due p <? length (p_own p)) && empty (nth (p_due p) (p_own p) []) &&
  (empty (p_deck p) || (p_limit p =? 0)) && forallb (fun a => fst (snd a)) (p_tower p).

Theorem stuck_check_dead : forall r p, stuck_check r p = true -> dead_position r p.
Proof.
  intros r p C s _ H. unfold stuck_check in C. rewrite !andb_true_iff in C.
  destruct C as ((((Sk & _) & Ow) & Dr) & Up).
  apply stuck_dead.
  - apply negb_true_iff. trivial.
  - rewrite (fits_due _ _ H). pose proof (fits_own _ _ H) as Fo. clear -Ow Fo.
    revert Ow. generalize (p_due p).
    induction Fo as [| a b l m [A _] Fo IH]; intros [| n]; simpl; trivial; [| apply IH].
    apply seen_length in A. destruct a; [| discriminate]. destruct b; [trivial | discriminate].
  - apply orb_true_iff in Dr. destruct Dr as [Dr | Dr].
    + left. pose proof (seen_length _ _ (fits_deck _ _ H)) as L. destruct (p_deck p); [| discriminate].
      destruct (deck s); [trivial | discriminate].
    + right. apply (fits_limit _ _ H). apply Nat.eqb_eq. trivial.
  - intros x c I. destruct (all2_right _ _ _ _ _ _ (fits_tower _ _ H) I) as (a & J & (_ & E & _)).
    rewrite forallb_forall in Up. rewrite (Up a J) in E. discriminate.
Qed.

(** * The Finish card is out of reach *)

Definition is_F (o : sight) : bool := match o with Some F => true | _ => false end.
Definition unseen (o : sight) : bool := match o with None => true | _ => false end.

(** Whether the position shows F somewhere. *)
Definition shows_F (p : position) : bool :=
  existsb (existsb is_F) (p_own p) || existsb is_F (p_deck p) ||
  existsb (fun a => is_F (snd (snd a))) (p_tower p) || existsb is_F (p_reserve p) || existsb is_F (p_gone p).

(** Whether F may be an unseen card of the deck, or one that lies up. *)
Definition may_hide_F (p : position) : bool :=
  existsb unseen (p_deck p) || existsb (fun a => fst (snd a) && unseen (snd (snd a))) (p_tower p).

Definition F_gone (p : position) : bool :=
  existsb is_F (p_gone p) || negb (shows_F p || may_hide_F p || existsb unseen (p_reserve p)).

Definition F_in_reserve (r : rulings) (p : position) : bool :=
  match finish_value r with no_number => true | _ => false end &&
  (existsb is_F (p_reserve p) || negb (shows_F p || may_hide_F p)).

Definition F_laid (r : rulings) (p : position) : bool :=
  match replace_target r with facedown_only => true | _ => false end &&
  existsb (fun a => fst (snd a) && is_F (snd (snd a)) && negb (lev (fst a) =? Z.of_nat levels)%Z) (p_tower p).

Definition finish_check (r : rulings) (p : position) : bool :=
  finish r && (F_gone p || F_in_reserve r p || F_laid r p).

Lemma is_F_in : forall l, existsb is_F l = true <-> In (Some F) l.
Proof.
  intros l. rewrite existsb_exists. split.
  - intros ([[v |] |] & I & E); try discriminate. trivial.
  - intros I. exists (Some F). auto.
Qed.

Lemma unseen_none : forall l, existsb unseen l = false -> ~ In None l.
Proof.
  intros l E I. assert (existsb unseen l = true) by (apply existsb_exists; exists None; auto). congruence.
Qed.

(** Where no unseen card can be F and none is seen to be, F is in the Reserve, gone, or nowhere. *)
Lemma F_hidden : forall r p s, sound r s -> fits p s -> shows_F p = false -> may_hide_F p = false ->
  In F (reserve s ++ gone s) \/ ~ In F (all_cards s).
Proof.
  intros r p s S H Sh Mh. unfold shows_F in Sh. unfold may_hide_F in Mh.
  rewrite !orb_false_iff in Sh. rewrite !orb_false_iff in Mh.
  destruct Sh as ((((Sh1 & Sh2) & Sh3) & Sh4) & Sh5). destruct Mh as [M1 M2].
  destruct (in_dec card_dec F (reserve s ++ gone s)) as [I | N]; [auto | right].
  intros A. unfold all_cards in A. rewrite !in_app_iff in A. rewrite in_app_iff in N.
  destruct A as [A | [A | [A | A]]]; [| | | tauto].
  - apply in_concat in A. destruct A as (h & Ih & Fh).
    destruct (all2_right _ _ _ _ _ _ (fits_own _ _ H) Ih) as (os & Io & (_ & Fo)).
    assert (existsb (existsb is_F) (p_own p) = true); [| congruence].
    apply existsb_exists. exists os. split; trivial. apply is_F_in. auto.
  - assert (existsb is_F (p_deck p) = true); [| congruence]. apply is_F_in.
    exact (seen_all _ _ _ (fits_deck _ _ H) (unseen_none _ M1) A).
  - apply in_map_iff in A. destruct A as ([x k] & E & I). simpl in E.
    destruct (all2_right _ _ _ _ _ _ (fits_tower _ _ H) I) as ([y [b o]] & J & (_ & U & Sw)). simpl in *.
    destruct o as [c |].
    + simpl in Sw. assert (existsb (fun a => is_F (snd (snd a))) (p_tower p) = true); [| congruence].
      apply existsb_exists. exists (y, (b, Some c)). split; trivial. simpl. rewrite <- Sw, E. trivial.
    + destruct k as [c | c]; simpl in *; subst.
      * assert (existsb (fun a => fst (snd a) && unseen (snd (snd a))) (p_tower p) = true); [| congruence].
        apply existsb_exists. exists (y, (true, None)). auto.
      * exact (sound_backs _ _ S x I).
Qed.

Theorem finish_check_dead : forall r p, finish_check r p = true -> dead_position r p.
Proof.
  intros r p C s S H. unfold finish_check in C. apply andb_true_iff in C. destruct C as [Fv C].
  rewrite !orb_true_iff in C. destruct C as [[C | C] | C].
  - apply finish_gone_dead; trivial. unfold F_gone in C. apply orb_true_iff in C. destruct C as [C | C].
    + left. apply is_F_in in C. exact (seen_some _ _ _ (fits_gone _ _ H) C).
    + rewrite negb_true_iff, !orb_false_iff in C. destruct C as ((C1 & C2) & C3).
      destruct (F_hidden r p s S H C1 C2) as [I | N]; [| auto]. apply in_app_or in I.
      destruct I as [I | I]; [| auto]. exfalso.
      apply (seen_all _ _ _ (fits_reserve _ _ H) (unseen_none _ C3)), is_F_in in I.
      unfold shows_F in C1. rewrite I, !orb_true_r in C1. discriminate.
  - unfold F_in_reserve in C. apply andb_true_iff in C. destruct C as [V C].
    assert (V' : finish_value r = no_number) by (destruct (finish_value r); trivial; discriminate).
    apply orb_true_iff in C. destruct C as [C | C].
    + apply finish_reserve_dead; trivial. apply in_or_app. left. apply is_F_in in C.
      exact (seen_some _ _ _ (fits_reserve _ _ H) C).
    + rewrite negb_true_iff, orb_false_iff in C.
      destruct (F_hidden r p s S H (proj1 C) (proj2 C)) as [I | N].
      * apply finish_reserve_dead; trivial.
      * apply finish_gone_dead; auto.
  - unfold F_laid in C. apply andb_true_iff in C. destruct C as [Rt C].
    apply existsb_exists in C. destruct C as ([x [b o]] & I & C). simpl in C.
    rewrite !andb_true_iff in C. destruct C as ((Cb & Co) & Cl).
    destruct (all2_left _ _ _ _ _ _ (fits_tower _ _ H) I) as ([y k] & J & (E & U & Sw)). simpl in *.
    destruct o as [[v |] |]; try discriminate. simpl in Sw. subst b y.
    destruct k as [c | c]; [| discriminate]. simpl in Sw. subst c.
    apply finish_laid_dead with x; trivial.
    + destruct (replace_target r); trivial; discriminate.
    + apply negb_true_iff, Z.eqb_neq in Cl. trivial.
Qed.

(** * The apex cannot be laid again *)

Definition early (r : rulings) : bool := match early_apex r with win_on_completion => false | _ => true end.

Definition apex_check (r : rulings) (p : position) : bool :=
  early r && existsb (fun a => (lev (fst a) =? Z.of_nat levels)%Z) (p_tower p) &&
  (finish r || match replace_target r with facedown_only => true | _ => false end).

Theorem apex_check_dead : forall r p, apex_check r p = true -> dead_position r p.
Proof.
  intros r p C s S H. unfold apex_check in C. rewrite !andb_true_iff in C. destruct C as ((E & L) & T).
  assert (Ea : early_apex r <> win_on_completion) by (unfold early in E; destruct (early_apex r); congruence).
  assert (Al : apex_lies s).
  { apply existsb_exists in L. destruct L as ([x [b o]] & I & L).
    destruct (all2_left _ _ _ _ _ _ (fits_tower _ _ H) I) as ([y k] & J & (Q & _)). simpl in *. subst y.
    exists x, k. split; trivial. apply Z.eqb_eq. trivial. }
  apply orb_true_iff in T. destruct T as [T | T]; [apply apex_finish_dead; trivial |].
  apply apex_facedown_dead; trivial. destruct (replace_target r); trivial; discriminate.
Qed.

(** * A tower out of order *)

(** The laid cards that orders can be asked of: all but up cards that are not seen. (The card under a back
    plays no part.) *)
Definition known (a : cell * (bool * sight)) : bool := negb (fst (snd a) && unseen (snd (snd a))).

Definition as_laid (a : cell * (bool * sight)) : cell * laid :=
  let c := match snd (snd a) with Some c => c | None => Glass 0 end in
  (fst a, if fst (snd a) then Up c else Down c).

Definition p_known (p : position) : tower := map as_laid (filter known (p_tower p)).

Definition may_replaceb (r : rulings) (p : position) (x : cell) (up : bool) : bool :=
  match replace_target r with
  | any_card => true
  | not_anchor => negb (eqb x g1) || negb (anchor_lies p)
  | facedown_only => negb up
  end.

(** Whether the Glass card v in place of the card on x leaves V out of order, however it may lie. *)
Definition mends_not (r : rulings) (V : tower) (x : cell) (v : Z) : bool :=
  negb (ordersb r (put x (Up (Glass v)) V)) &&
  (negb (reserve_either r) || negb (ordersb r (put x (Down (Glass v)) V))).

(** K is given by its cells. *)
Definition order_check (r : rulings) (p : position) (K : list cell) : bool :=
  let V := only K (p_known p) in
  negb (ordersb r V) &&
  forallb (fun e => negb (may_replaceb r p (fst e) (is_up (snd e))) ||
    forallb (mends_not r V (fst e)) (range 1 50)) V.

(** Towers that show the same up cards and have the same backs. *)
Definition alike (V W : tower) : Prop := forall x k, In (x, k) V ->
  exists k', In (x, k') W /\ match k with Up c => k' = Up c | Down _ => exists d, k' = Down d end.

Lemma alike_orders : forall r V W, alike V W -> orders r W -> orders r V.
Proof.
  intros r V W Al. apply orders_alike.
  - intros x n (c & I & R). destruct (Al _ _ I) as (k & J & ->). exists c. auto.
  - intros x c I. destruct (Al _ _ I) as (k & J & d & ->). eauto.
Qed.

Lemma alike_put : forall V W x l, alike V W -> alike (put x l V) (put x l W).
Proof.
  intros V W x l Al y k I. apply put_in in I. destruct I as [(-> & -> & I) | (Ny & I)].
  - exists l. split; [| destruct l; eauto]. apply put_in. left. repeat split; trivial.
    apply in_map_iff in I. destruct I as ([z j] & E & I). simpl in E. subst z.
    destruct (Al _ _ I) as (j' & J & _). exact (in_map fst _ _ J).
  - destruct (Al _ _ I) as (k' & J & Q). exists k'. split; trivial. apply put_in. auto.
Qed.

Lemma known_in : forall p s x k, fits p s -> In (x, k) (p_known p) ->
  exists k', In (x, k') (laid_cards s) /\
    match k with Up c => k' = Up c | Down _ => exists d, k' = Down d end.
Proof.
  intros p s x k H I. unfold p_known in I. apply in_map_iff in I. destruct I as ([y [b o]] & E & I).
  apply filter_In in I. destruct I as [I Kn].
  destruct (all2_left _ _ _ _ _ _ (fits_tower _ _ H) I) as ([z j] & J & (Q & U & Sw)).
  unfold as_laid in E. unfold known in Kn. simpl in *. subst z. inversion E; subst x.
  exists j. split; trivial. destruct b, j as [d | d]; simpl in *; try discriminate; [| eauto].
  destruct o; [simpl in Sw; congruence | discriminate].
Qed.

Lemma known_cells : forall p, map fst (p_known p) = map fst (filter known (p_tower p)).
Proof. intros p. unfold p_known. rewrite map_map. apply map_ext. intros [x [b o]]. trivial. Qed.

Lemma fits_cells : forall p s, fits p s -> map fst (p_tower p) = map fst (laid_cards s).
Proof.
  intros p s H. pose proof (fits_tower _ _ H) as T.
  induction T as [| a b l m (E & _) T IH]; simpl; congruence.
Qed.

Lemma known_once : forall p s, NoDup (map fst (laid_cards s)) -> fits p s -> NoDup (map fst (p_known p)).
Proof.
  intros p s N H.
  rewrite <- (fits_cells _ _ H) in N. rewrite known_cells. clear -N.
  induction (p_tower p) as [| a l IH]; simpl in *; trivial. inversion N as [| ? ? N1 N2]; subst.
  destruct (known a); simpl; auto. constructor; auto. intros I. apply N1.
  apply in_map_iff in I. destruct I as (b & E & I). apply filter_In in I. rewrite <- E. apply in_map. tauto.
Qed.

Theorem order_check_dead : forall r p K, order_check r p K = true -> dead_position r p.
Proof.
  intros r p K0 C s S H. unfold order_check in C. set (V := only K0 (p_known p)) in *.
  apply andb_true_iff in C. destruct C as [C1 C2]. rewrite forallb_forall in C2.
  assert (N : NoDup (map fst V)) by (apply only_once, known_once with s; trivial; apply S).
  assert (In_p : forall x k, In (x, k) V -> In (x, k) (p_known p))
    by (intros x k I; apply only_in in I; tauto).
  set (K := map fst V).
  assert (Al : alike V (only K (laid_cards s))).
  { intros x k I. destruct (known_in p s x k H (In_p x k I)) as (k' & J & Q). exists k'. split; trivial.
    apply only_in. split; trivial. exact (in_map fst _ _ I). }
  assert (No : forall U W, NoDup (map fst U) -> alike U W -> negb (ordersb r U) = true -> ~ orders r W).
  { intros U W Nu A B O. apply (alike_orders r U W A), (ordersb_correct r U Nu) in O.
    apply negb_true_iff in B. congruence. }
  apply order_dead with K; trivial. split; [apply (No V); trivial |].
  intros x k v I Mr Rv. assert (Kv : exists j, In (x, j) V /\ is_up j = is_up k).
  { pose proof I as I0. apply only_in in I. destruct I as [I Kx]. apply in_map_iff in Kx.
    destruct Kx as ([y j] & E & J). simpl in E. subst y. exists j. split; trivial.
    destruct (known_in p s x j H (In_p x j J)) as (k' & J' & Q).
    rewrite (once_laid _ _ _ _ (sound_cells _ _ S) I J').
    destruct j; [rewrite Q; trivial | destruct Q as [d ->]; trivial]. }
  destruct Kv as (j & J & U). specialize (C2 _ J). cbn [fst snd] in C2. rewrite U in C2.
  assert (M : may_replaceb r p x (is_up k) = true).
  { unfold may_replaceb. unfold may_replace in Mr. destruct (replace_target r); trivial.
    - rewrite (fits_moved _ _ H) in Mr. destruct (eqb_spec x g1); trivial. simpl. destruct Mr; tauto.
    - rewrite Mr. trivial. }
  rewrite M in C2. cbn [negb orb] in C2. rewrite forallb_forall in C2.
  assert (Iv : In v (range 1 50)) by (apply in_range; lia).
  specialize (C2 v Iv). unfold mends_not in C2. apply andb_true_iff in C2. destruct C2 as [P1 P2]. split.
  - apply (No (put x (Up (Glass v)) V)); trivial; [rewrite put_cells; trivial | apply alike_put; trivial].
  - intros Ei. rewrite Ei in P2. cbn [negb orb] in P2.
    apply (No (put x (Down (Glass v)) V)); trivial; [rewrite put_cells; trivial | apply alike_put; trivial].
Qed.

(** * Examples *)

Definition base : rulings := plain by_integers.

(** g1 up with 25, h1 with 20, i1 with 19: no one card mends both pairs. *)
Definition falling : position :=
  Position [[None; None; None]; [None; None; None]] (repeat None 38)
    [((6, 1), (true, Some (Glass 25))); ((7, 1), (true, Some (Glass 20)));
     ((8, 1), (true, Some (Glass 19)))]%Z
    (repeat None 6) [] 0 1.

Example falling_dead : order_check base falling [(6, 1); (7, 1); (8, 1)]%Z = true.
Proof. vm_compute. reflexivity. Qed.

(** Two of them are no such K. *)
Example falling_pair : order_check base falling [(6, 1); (7, 1)]%Z = false.
Proof. vm_compute. reflexivity. Qed.

(** The 25 and a 20 right of it: a number in place of either mends that. *)
Definition mendable : position :=
  Position [[None; None; None]; [None; None; None]] (repeat None 39)
    [((6, 1), (true, Some (Glass 25))); ((7, 1), (true, Some (Glass 20)))]%Z (repeat None 6) [] 0 1.

Example mendable_open : order_check base mendable [(6, 1); (7, 1)]%Z = false.
Proof. vm_compute. reflexivity. Qed.

(** One card on the table, 26 of own cards and in the deck: 27 empty cells. *)
Definition too_few : position :=
  Position [[None; None; None]; [None; None; None]] (repeat None 20) [((6, 1), (true, Some (Glass 25)))]%Z
    (repeat None 6) (repeat None 17) 0 1.

Example too_few_dead : cards_check too_few = true.
Proof. vm_compute. reflexivity. Qed.

Example nobody_stuck : stuck_check base too_few = false.
Proof. vm_compute. reflexivity. Qed.

Definition nothing_left : position :=
  Position [[]; [None; None; None]] [None] [((6, 1), (true, Some (Glass 25)))]%Z (repeat None 6) [] 0 0.

Example first_stuck : stuck_check base nothing_left = true.
Proof. vm_compute. reflexivity. Qed.

Definition with_F (fv : finish_ruling) (rt : target_ruling) : rulings :=
  Rulings true true true true by_integers rt false no_win fv false false true.

(** F in the Reserve: out of reach without a number, within with one. *)
Definition F_waits : position :=
  Position [[None; None; None]; [None; None; None]] (repeat None 39) [((6, 1), (true, Some (Glass 25)))]%Z
    (Some F :: repeat None 5) [] 0 1.

Example F_without_number : finish_check (with_F no_number any_card) F_waits = true.
Proof. vm_compute. reflexivity. Qed.

Example F_with_number : finish_check (with_F is_25 any_card) F_waits = false.
Proof. vm_compute. reflexivity. Qed.

Example no_apex : apex_check (with_F is_25 any_card) F_waits = false.
Proof. vm_compute. reflexivity. Qed.
