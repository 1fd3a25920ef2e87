(** What a card taken costs when there are one or two cards to spare: table.md, "What a card taken costs".
    *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach Provenance.
Import ListNotations.
Open Scope nat_scope.

(** * The prices *)

(** The sum or the difference of two cards is n. *)
Definition makes (r : rulings) (u w : card) (n : Z) : bool :=
  match num r u, num r w with
  | Some a, Some b => ((n =? a + b) || (n =? Z.abs (a - b)))%Z
  | _, _ => false
  end.

Definition no_F (c : card) : bool := negb (same_card c F).

(** Two different cards, one of each list, with which something holds. *)
Definition pair_of (l m : list card) (P : card -> card -> bool) : bool :=
  existsb (fun u => existsb (fun w => negb (same_card u w) && P u w) m) l.

Definition glass_makes (r : rulings) (n : Z) (u w : card) : bool := no_F u && no_F w && makes r u w n.

(** The same of one player's own cards and the deck. *)
Definition one_hand (hands : list (list card)) (dk : list card) (P : card -> card -> bool) : bool :=
  existsb (fun h => pair_of (h ++ dk) (h ++ dk) P) hands.

(** spare = 1.  [tw] are the seen cards of the tower. *)
Definition t1 (r : rulings) (hands : list (list card)) (dk tw : list card) (c : card) : option nat :=
  match num r c with
  | None => None
  | Some n =>
      if holds tw c then None
      else if holds (concat hands ++ dk) c then
        if take_sent r && one_hand hands dk (fun u w => same_card u c && glass_makes r n u w) then Some 1
        else None
      else if one_hand hands dk (glass_makes r n) then Some 1 else None
  end.

(** A third card of the same kind that is neither u nor w. *)
Definition third (l : list card) (u w : card) : bool :=
  existsb (fun z => no_F z && negb (same_card z u) && negb (same_card z w)) l.

Definition near (r : rulings) (n : Z) (u w : card) : bool :=
  glass_makes r (n - 1) u w || glass_makes r (n + 1) u w.

(** spare = 2; [seen] tells whether all laid cards are seen. *)
Definition t2 (r : rulings) (hands : list (list card)) (dk tw : list card) (seen : bool) (c : card) :
    option nat :=
  match num r c with
  | None => None
  | Some n =>
      let here := concat hands ++ dk in
      if negb seen || pair_of here (here ++ tw) (glass_makes r n) then Some 1
      else if pair_of here (here ++ tw) (fun u w => same_card u F && makes r u w n) then Some 2
      else if existsb (fun h =>
          pair_of (h ++ dk) (h ++ dk) (fun u w => near r n u w && third (h ++ dk) u w)) hands
        then Some 2
      else None
  end.

(** * The lists stand for the table *)

Definition lists_hands (hands : list (list card)) (s : table) : Prop :=
  forall h, In h (own s) -> exists h', In h' hands /\ incl h h'.

Lemma pair_of_true : forall l m P u w, In u l -> In w m -> u <> w -> P u w = true -> pair_of l m P = true.
Proof.
  intros l m P u w U W D E. unfold pair_of. apply existsb_exists. exists u. split; trivial.
  apply existsb_exists. exists w. split; trivial. rewrite E, andb_true_r. apply negb_true_iff.
  destruct (same_card u w) eqn:Q; trivial. apply same_card_true in Q. congruence.
Qed.

Lemma no_F_true : forall c, no_F c = true <-> c <> F.
Proof.
  intros c. unfold no_F. rewrite negb_true_iff. split.
  - intros E Q. apply same_card_true in Q. congruence.
  - intros N. destruct (same_card c F) eqn:Q; trivial. apply same_card_true in Q. congruence.
Qed.

(** A player's pool within one of the lists. *)
Lemma pool_listed : forall hands dk s i, lists_hands hands s -> incl (deck s) dk -> i < length (own s) ->
  exists h, In h hands /\ incl (pool s i) (h ++ dk).
Proof.
  intros hands dk s i Lh Ld I. destruct (Lh (nth i (own s) [])) as (h & J & Q); [apply nth_In; trivial |].
  exists h. split; trivial. intros c C. unfold pool in C. rewrite in_app_iff in *. destruct C; auto.
Qed.

Lemma stock_listed : forall hands dk s, lists_hands hands s -> incl (deck s) dk ->
  incl (stock s) (concat hands ++ dk).
Proof.
  intros hands dk s Lh Ld c C. unfold stock in C. rewrite in_app_iff in *.
  destruct C as [C | C]; [left | auto].
  apply in_concat in C. destruct C as (h & J & C). destruct (Lh h J) as (h' & J' & Q).
  apply in_concat. exists h'. auto.
Qed.

(** * The bill, when few cards are spare *)

(** An item of the bill costs no more than k. *)
Definition dear (t : card -> option nat) (r : rulings) (b : bool) (s : table) (k : nat) (e : cell * laid) :
    Prop :=
  price r b s e <> 0 -> exists n, t (face (snd e)) = Some n /\ n <= k.

Lemma bill_dear : forall t r b s k T, (forall e, In e T -> dear t r b s k e) ->
  exists n, bill t r b s T = Some n /\ n <= k * tower_price r b s T.
Proof.
  intros t r b s k T. unfold tower_price. induction T as [| e T IH]; simpl; intros D.
  - exists 0. split; [trivial | lia].
  - destruct IH as (n & B & L); [auto |]. rewrite B. pose proof (price_one r b s e).
    destruct (price r b s e) as [| [| j]] eqn:P; [| | lia]; simpl.
    + exists n. split; [trivial | lia].
    + destruct (D e (or_introl eq_refl)) as (m & E & Lm); [lia |]. rewrite E.
      exists (m + n). split; [trivial | lia].
Qed.

(** F costs something only where it waits in the Reserve. *)
Lemma F_waits : forall r b s ts s' p, sound r s -> wins r s ts s' -> In (p, Up F) (laid_cards s') ->
  price r b s (p, Up F) <> 0 -> In F (reserve s).
Proof.
  intros r b s ts s' p S Wn I P. pose proof (wins_final _ _ _ _ S Wn) as Fi.
  assert (Fv : finish r = true).
  { destruct (finish r) eqn:Fv; trivial. destruct (sound_variant _ _ S Fv). apply (final_from _ _ _ Fi).
    exact (in_map (fun e => face (snd e)) _ _ I). }
  destruct (finish_ends_on_apex _ _ _ Fv Fi) as (x & J & L).
  assert (p = x) by exact (faces_one _ p x _ _ (final_once _ _ _ Fi) I J eq_refl). subst x.
  unfold price in P. simpl in P. destruct (at_cell (laid_cards s) p) as [k |] eqn:At.
  - exfalso. apply at_cell_in in At; [| apply S]. destruct (sound_apex _ _ S p k At L) as [_ Ek].
    specialize (Ek Fv). subst k. simpl in P. destruct (again r p) eqn:Ag; [| simpl in P; tauto].
    assert (Ea : early_apex r <> win_on_completion).
    { unfold again in Ag. destruct (early_apex r); congruence. }
    apply (apex_finish_dead r s S Ea) in Wn; trivial. exists p, (Up F). auto.
  - destruct b; simpl in P; [| tauto]. destruct (holds (reserve s) F) eqn:Hd; [| tauto].
    apply holds_true. trivial.
Qed.

(** A D that serves a cell, with what lies before and after it. *)
Lemma D_of_item : forall r b s ts s' p k, sound r s -> wins r s ts s' -> In (p, k) (laid_cards s') ->
  price r b s (p, k) <> 0 ->
  exists a t c s1 s2 u v E l x old, ts = a ++ t :: c /\ run r s a s1 /\ played r s1 t s2 /\ run r s2 c s' /\
    act t = D u v E l x old /\ face l = face k.
Proof.
  intros r b s ts s' p k S Wn I P. pose proof (wins_run _ _ _ _ Wn) as R.
  pose proof (price_owes r b s ts s' p k S Wn I P) as Ow.
  destruct (owed_D r s ts s' p R (sound_cards _ _ S) Ow) as (i & t & k' & E & J & T & _).
  assert (k' = k) as -> by exact (once_laid _ _ _ _ (run_cells _ _ _ _ R (sound_cells _ _ S)) J I).
  destruct (nth_error_split ts i E) as (a & c & -> & _). destruct (run_split _ _ _ _ _ R) as (s1 & Ra & Rb).
  inversion Rb as [| ? ? s2 ? ? Pl _ Rc]; subst. unfold taken in T.
  destruct (act t) as [| | | u v X l x old |] eqn:Ea; try discriminate. inversion T as [T'].
  exists a, t, c, s1, s2, u, v, X, l, x, old. repeat split; trivial.
Qed.

(** F that was sent has to be taken back by a later D. *)
Lemma F_taken_back : forall r s1 c s' s2 t, sound r s1 -> played r s1 t s2 -> run r s2 c s' ->
  In F (faces (laid_cards s')) -> In F (reserve s2 ++ gone s2) ->
  1 <= all_D c /\ exists i u, nth_error c i = Some u /\ taken u = Some F.
Proof.
  intros r s1 c s' s2 t S P R I J. pose proof (turn_sound _ _ _ _ S P) as S2.
  destruct (takes_x r s2 c s' F R J) as (i & u & E & T).
  { apply one_place; [apply (run_sound _ _ _ _ R S2) | trivial]. }
  split; [| eauto]. apply nth_error_In in E. apply in_split in E. destruct E as (a & d & ->).
  rewrite all_D_app, all_D_cons. unfold taken in T. destruct (act u); try discriminate. simpl. lia.
Qed.

(** In a won game of the [finish] variant F is in the tower. *)
Lemma F_laid_at_end : forall r s ts s', sound r s -> wins r s ts s' -> In F (all_cards s) ->
  exists x, In (x, Up F) (laid_cards s').
Proof.
  intros r s ts s' S Wn I. destruct (finish r) eqn:Fv; [| destruct (sound_variant _ _ S Fv I)].
  destruct (finish_ends_on_apex _ _ _ Fv (wins_final _ _ _ _ S Wn)) as (x & J & _). eauto.
Qed.

(** Own cards and those of the deck lie nowhere else. *)
Lemma stock_alone : forall s c, NoDup (all_cards s) -> In c (stock s) ->
  ~ In c (faces (laid_cards s) ++ reserve s ++ gone s).
Proof.
  intros s c N I J. assert (C : copies (all_cards s) c <= 1).
  { apply (NoDup_count_occ card_dec) with (x := c) in N. exact N. }
  unfold all_cards in C. fold (faces (laid_cards s)) in C. unfold stock in I.
  apply (count_occ_In card_dec) in I. apply (count_occ_In card_dec) in J.
  fold (copies (concat (own s) ++ deck s) c) in I.
  fold (copies (faces (laid_cards s) ++ reserve s ++ gone s) c) in J. rewrite !copies_app in *. lia.
Qed.

Lemma stock_cards : forall s, incl (stock s) (all_cards s).
Proof. intros s c I. unfold stock, all_cards in *. rewrite !in_app_iff in *. tauto. Qed.

Lemma run_players : forall r s ts s', run r s ts s' -> length (own s') = length (own s).
Proof.
  intros r s ts s' R. induction R as [s | s t s1 ts s2 P _ _ IH]; trivial. rewrite IH.
  destruct P as [b a h h' R' d O _ _ _ _ _ _ _ O' _ _ _ _ _]. rewrite O, O', !app_length. trivial.
Qed.

Lemma due_player : forall r s t s', played r s t s' -> due s < length (own s).
Proof.
  intros r s t s' [b a h h' R' d O B _ _ _ _ _ _ _ _ _ _ _ _]. rewrite O, app_length, B. simpl. lia.
Qed.

Lemma makes_sym : forall r u w n, makes r u w n = makes r w u n.
Proof.
  intros r u w n. unfold makes. destruct (num r u) as [a |], (num r w) as [b |]; trivial.
  replace (b + a)%Z with (a + b)%Z by lia. replace (Z.abs (b - a)) with (Z.abs (a - b)) by lia. trivial.
Qed.

(** What two cards and the destroyed ones pay. *)
Lemma pays_makes : forall r u w E c, pays r u w E c ->
  exists n z, num r c = Some n /\ (- Z.of_nat (length E) <= z <= Z.of_nat (length E))%Z /\
    makes r u w (n - z) = true.
Proof.
  intros r u w E c (a & b & n & z & A & B & C & Z & Q). exists n, z. repeat split; trivial; try lia.
  unfold makes. rewrite A, B. apply orb_true_iff. destruct Q; [left | right]; lia.
Qed.

(** * spare = 1 *)

Theorem affords_t1 : forall r b s hands dk tw, sound r s -> spare s = 1%Z ->
  lists_hands hands s -> incl (deck s) dk -> incl tw (faces (laid_cards s)) ->
  incl (concat hands ++ dk) (stock s) -> affords (t1 r hands dk tw) r b s.
Proof.
  intros r b s hands dk tw S Sp Lh Ld Ltw Lst ts s' Wn.
  pose proof (account _ _ _ _ Wn) as Ac. unfold spare in Sp.
  assert (Few : all_D ts + all_spent ts <= 1) by lia. clear Ac.
  assert (De : forall e, In e (laid_cards s') -> dear (t1 r hands dk tw) r b s 1 e).
  { intros [p k] I P.
    destruct (D_of_item r b s ts s' p k S Wn I P)
      as (a & t & c & s1 & s2 & u & v & E & l & x & old & -> & Ra & Pl & Rc & Ea & El).
    rewrite all_D_app, all_D_cons, all_spent_app in Few. unfold all_spent in Few. simpl in Few.
    rewrite Ea in Few. simpl in Few. destruct E as [| z E]; [| simpl in Few; lia].
    assert (Za : all_D a = 0) by lia. assert (Zc : all_D c = 0) by lia.
    pose proof (run_sound _ _ _ _ Ra S) as S1.
    destruct (pays_from _ _ _ _ _ _ _ _ _ _ Pl (sound_cards _ _ S1) Ea)
      as (Nd & Pool & Py & Tk & Ts & Snt & _).
    rewrite El in *. destruct (pays_makes _ _ _ _ _ Py) as (n & z & Nm & Z & Mk).
    simpl in Z. replace (n - z)%Z with n in Mk by lia.
    assert (Pu : incl [u; v] (pool s (due s1))).
    { intros d D. apply (run_pool _ _ _ _ Ra Za). apply Pool. trivial. }
    assert (Su : forall d, In d [u; v] -> In d (stock s)).
    { intros d D. apply (pool_stock s (due s1)). auto. }
    assert (Duv : u <> v) by (inversion Nd; simpl in *; intuition congruence).
    assert (NF : ~ In F [u; v]).
    { intros J. pose proof (Su F J) as SF.
      destruct (card_dec F (face k)) as [Ef | Nf].
      - destruct k as [d | d]; simpl in Ef; [| pose proof (final_up _ _ _ (wins_final _ _ _ _ S Wn) p _ I);
          discriminate]. subst d.
        apply (stock_alone s F (sound_cards _ _ S) SF). rewrite !in_app_iff. right. left.
        exact (F_waits r b s _ s' p S Wn I P).
      - destruct (F_laid_at_end r s _ s' S Wn (stock_cards s F SF)) as (y & Y).
        destruct (F_taken_back r s1 c s' s2 t S1 Pl Rc) as [L _]; [| | lia].
        + exact (in_map (fun e => face (snd e)) _ _ Y).
        + auto. }
    assert (Gm : glass_makes r n u v = true).
    { unfold glass_makes. rewrite Mk, !(proj2 (no_F_true _)); trivial; intros ->; apply NF; simpl; auto. }
    assert (Gm' : glass_makes r n v u = true).
    { unfold glass_makes. rewrite makes_sym, Mk, !(proj2 (no_F_true _)); trivial;
        intros ->; apply NF; simpl; auto. }
    destruct (pool_listed hands dk s (due s1) Lh Ld) as (h & Ih & Ph).
    { rewrite <- (run_players _ _ _ _ Ra). exact (due_player _ _ _ _ Pl). }
    simpl snd. unfold t1. rewrite Nm. exists 1. split; [| trivial].
    assert (Tk' : In (face k) [u; v] \/ In (face k) (reserve s)).
    { destruct Tk as [<- | [<- | Tk]]; simpl; auto. right. exact (run_reserve _ _ _ _ Ra Za _ Tk). }
    destruct (holds tw (face k)) eqn:Ht.
    { exfalso. apply holds_true, Ltw in Ht. destruct Tk' as [Tk' | Tk'].
      - apply (stock_alone s _ (sound_cards _ _ S) (Su _ Tk')). apply in_or_app. auto.
      - apply (one_place s _ (sound_cards _ _ S) Ht). apply in_or_app. auto. }
    destruct (holds (concat hands ++ dk) (face k)) eqn:Hh.
    - apply holds_true, Lst in Hh. destruct Tk' as [Tk' | Tk'].
      + assert (Tr : take_sent r = true).
        { destruct (take_sent r); trivial. destruct (Ts eq_refl) as [T1 T2].
          simpl in Tk'. intuition congruence. }
        rewrite Tr. cbn [andb]. replace (one_hand hands dk _) with true; trivial. symmetry.
        apply existsb_exists. exists h. split; trivial. destruct Tk' as [Q | [Q | []]].
        * apply pair_of_true with u v; try (apply Ph, Pu; simpl; auto); trivial.
          rewrite Gm, andb_true_r. apply same_card_true. trivial.
        * apply pair_of_true with v u; try (apply Ph, Pu; simpl; auto); [congruence |].
          rewrite Gm', andb_true_r. apply same_card_true. trivial.
      + exfalso. apply (stock_alone s _ (sound_cards _ _ S) Hh). rewrite !in_app_iff. auto.
    - replace (one_hand hands dk (glass_makes r n)) with true; trivial. symmetry.
      apply existsb_exists. exists h. split; trivial.
      apply pair_of_true with u v; try (apply Ph, Pu; simpl; auto); trivial. }
  destruct (bill_dear _ r b s 1 _ De) as (n & B & L). exists n. split; trivial.
  pose proof (price_paid r b _ _ _ S Wn). lia.
Qed.
