(** Which cards can have come to whom before the first action D and before the second: table.md, "What a
    card taken costs". *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final.
Import ListNotations.
Open Scope nat_scope.

(** * One turn *)

(** The cards that a player has or may draw. *)
Definition pool (s : table) (i : nat) : list card := nth i (own s) [] ++ deck s.

(** All own cards, and the deck. *)
Definition stock (s : table) : list card := concat (own s) ++ deck s.

(** The card that an action D brings to the player in place of the one that it lays. *)
Definition got (t : turn) : option card :=
  match act t with D _ _ _ _ _ (Some k) => Some (face k) | _ => None end.

Lemma pool_stock : forall s i, incl (pool s i) (stock s).
Proof.
  intros s i c I. unfold pool, stock in *. rewrite in_app_iff in *. destruct I as [I | I]; [left | auto].
  apply in_concat. exists (nth i (own s) []). split; trivial.
  destruct (nth_in_or_default i (own s) []) as [J | E]; trivial. rewrite E in I. destruct I.
Qed.

Lemma stock_pool : forall s c, In c (stock s) -> exists i, In c (pool s i).
Proof.
  intros s c I. unfold pool, stock in *. rewrite in_app_iff in I. destruct I as [I | I].
  - apply in_concat in I. destruct I as (h & J & I). destruct (In_nth _ _ [] J) as (i & _ & E). subst h.
    exists i. apply in_or_app. auto.
  - exists 0. apply in_or_app. auto.
Qed.

(** What the player of a turn has after it, had been there, was drawn, or was got by D. *)
Lemma does_hand : forall d a d' c, does d a d' -> In c (hand d') ->
  In c (hand d) \/ match a with D _ _ _ _ _ (Some k) => c = face k | _ => False end.
Proof.
  intros d a d' c H I. destruct H; simpl in *; auto;
    try (left; apply (Permutation_in _ (Permutation_sym H)); simpl; rewrite ?in_app_iff; auto; fail).
  destruct I as [I | I]; [auto |].
  left. apply (Permutation_in _ (Permutation_sym H)). simpl. rewrite in_app_iff. auto.
Qed.

Lemma turn_pool : forall r s t s' i c, played r s t s' -> In c (pool s' i) ->
  In c (pool s i) \/ got t = Some c.
Proof.
  intros r s t s' i c [b a h h' R' d O _ K _ Do _ Hd _ O' _ _ _ _ _] I. unfold pool in *.
  assert (Dk : incl (draw t ++ fill t ++ deck s') (deck s)) by (rewrite K; apply incl_refl).
  assert (Dk' : In c (deck s') -> In c (deck s)) by (intros J; apply Dk; rewrite !in_app_iff; auto).
  rewrite O' in I. rewrite in_app_iff in I. destruct I as [I | I]; [| left; apply in_or_app; auto].
  assert (G : In c h' -> In c h \/ In c (deck s) \/ got t = Some c).
  { intros J. assert (J' : In c (drop t ++ h')) by (apply in_or_app; auto).
    apply (Permutation_in _ (Permutation_sym Hd)) in J'. apply in_app_or in J'. destruct J' as [J' | J'].
    - right. left. apply Dk. rewrite !in_app_iff. auto.
    - destruct (does_hand _ _ _ c Do J') as [M | M].
      + simpl in M. apply in_app_or in M. destruct M as [M | M]; [| auto].
        right. left. apply Dk. rewrite !in_app_iff. auto.
      + right. right. unfold got. destruct (act t) as [| | | ? ? ? ? ? [k |] |]; try destruct M. trivial. }
  rewrite O, in_app_iff. destruct (lt_eq_lt_dec i (length b)) as [[L | E] | L].
  - rewrite app_nth1 in * by trivial. auto.
  - subst i. rewrite nth_middle in *. destruct (G I) as [J | [J | J]]; auto.
  - rewrite app_nth2 in * by lia. destruct (i - length b) as [| n] eqn:E; [lia |]. simpl in *. auto.
Qed.

Lemma turn_got : forall r s t s' c, played r s t s' -> got t = Some c ->
  In c (faces (laid_cards s)) /\ is_D (act t) = 1.
Proof.
  intros r s t s' c [b a h h' R' d _ _ _ _ Do _ _ _ _ _ _ _ _ _] G. unfold got in G.
  destruct (act t) as [| | | u v E l x [k |] |]; try discriminate. inversion G; subst c.
  destruct (does_replace _ _ _ _ _ _ _ _ Do) as (V1 & V2 & E1 & _). simpl in E1. split; trivial.
  apply (in_map (fun e => face (snd e)) _ (x, k)). rewrite E1. apply in_or_app. simpl. auto.
Qed.

Lemma does_faces : forall d a d' c, does d a d' -> In c (faces (tow d')) ->
  In c (faces (tow d)) \/ In c (hand d) \/ is_D a = 1.
Proof.
  intros d a d' c H I. unfold faces in *. destruct H; simpl in *; auto;
    try (destruct I as [<- | I]; auto; right; left; apply (Permutation_in _ (Permutation_sym H)); simpl;
      auto; fail).
  rewrite map_app in *. simpl in *. auto.
Qed.

Lemma turn_faces : forall r s t s' c, played r s t s' -> is_D (act t) = 0 -> In c (faces (laid_cards s')) ->
  In c (faces (laid_cards s)) \/ In c (stock s).
Proof.
  intros r s t s' c [b a h h' R' d O _ K _ Do _ _ _ _ W _ _ _ _] Nd I. rewrite W in I.
  destruct (does_faces _ _ _ c Do I) as [J | [J | J]]; [auto | right | lia].
  simpl in J. unfold stock. rewrite O, K, concat_app. simpl. rewrite !in_app_iff in *. tauto.
Qed.

Lemma turn_reserve : forall r s t s', played r s t s' -> is_D (act t) = 0 -> incl (reserve s') (reserve s).
Proof.
  intros r s t s' [b a h h' R' d _ _ _ _ Do _ _ T _ _ R _ _ _] Nd c I. rewrite R in I.
  assert (J : In c (row d)) by (apply (Permutation_in _ (Permutation_sym T)); apply in_or_app; auto).
  remember (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s)) as d0 eqn:Ed.
  replace (reserve s) with (row d0) by (rewrite Ed; trivial). clear Ed.
  destruct Do; simpl in *; trivial; discriminate.
Qed.

(** * Runs with few actions D *)

Lemma all_D_cons : forall t ts, all_D (t :: ts) = is_D (act t) + all_D ts.
Proof. trivial. Qed.

Lemma all_D_app : forall a b, all_D (a ++ b) = all_D a + all_D b.
Proof. intros a b. induction a as [| t a IH]; trivial.
  rewrite <- app_comm_cons, !all_D_cons, IH. lia. Qed.

Lemma all_spent_app : forall a b, all_spent (a ++ b) = all_spent a + all_spent b.
Proof. intros a b. unfold all_spent. induction a as [| t a IH]; simpl; trivial. rewrite IH. lia. Qed.

Lemma run_split : forall r ts us s s', run r s (ts ++ us) s' -> exists s1, run r s ts s1 /\ run r s1 us s'.
Proof.
  intros r ts us. induction ts as [| t ts IH]; simpl; intros s s' R.
  - exists s. split; [constructor | trivial].
  - inversion R as [| ? ? s1 ? ? P N R1]; subst. destruct (IH _ _ R1) as (s2 & A & B).
    exists s2. split; trivial. econstructor; eauto.
Qed.

(** Without a D: each player has own cards of before and cards of the deck; *)
Lemma run_pool : forall r s ts s', run r s ts s' -> all_D ts = 0 -> forall i, incl (pool s' i) (pool s i).
Proof.
  intros r s ts s' R. induction R as [s | s t s1 ts s2 P _ _ IH]; intros Z i c I; trivial.
  rewrite all_D_cons in Z. apply IH in I; [| lia]. destruct (turn_pool _ _ _ _ i c P I) as [J | J]; trivial.
  destruct (turn_got _ _ _ _ c P J). lia.
Qed.

Lemma run_stock : forall r s ts s', run r s ts s' -> all_D ts = 0 -> incl (stock s') (stock s).
Proof.
  intros r s ts s' R Z c I. destruct (stock_pool _ _ I) as (i & J).
  apply (pool_stock s i). exact (run_pool _ _ _ _ R Z i c J).
Qed.

(** the tower has its cards and some of these; the Reserve has no others. *)
Lemma run_faces : forall r s ts s', run r s ts s' -> all_D ts = 0 -> forall c, In c (faces (laid_cards s')) ->
  In c (faces (laid_cards s)) \/ In c (stock s).
Proof.
  intros r s ts s' R. induction R as [s | s t s1 ts s2 P N R IH]; intros Z c I; auto.
  rewrite all_D_cons in Z. destruct (IH ltac:(lia) c I) as [J | J].
  - exact (turn_faces _ _ _ _ c P ltac:(lia) J).
  - right. apply (run_stock r s [t] s1); trivial; [econstructor; eauto; constructor |].
    unfold all_D. simpl. lia.
Qed.

Lemma run_reserve : forall r s ts s', run r s ts s' -> all_D ts = 0 -> incl (reserve s') (reserve s).
Proof.
  intros r s ts s' R. induction R as [s | s t s1 ts s2 P _ _ IH]; intros Z c I; trivial.
  rewrite all_D_cons in Z. apply (turn_reserve _ _ _ _ P); [lia |]. apply IH; [lia | trivial].
Qed.

Lemma first_D : forall ts, 1 <= all_D ts -> exists a t b, ts = a ++ t :: b /\ all_D a = 0 /\ is_D (act t) = 1.
Proof.
  induction ts as [| t ts IH]; intros L; [unfold all_D in L; simpl in L; lia |].
  rewrite all_D_cons in L. destruct (is_D (act t)) as [| [| n]] eqn:E.
  - destruct (IH ltac:(lia)) as (a & u & b & -> & Z & D). exists (t :: a), u, b. repeat split; trivial.
    rewrite all_D_cons. lia.
  - exists [], t, ts. repeat split; trivial.
  - destruct (act t); discriminate.
Qed.

(** "At most one replaced card has come to a hand before a D": with one D before, there is one card at
    most that is no own card and not in the deck now, and that lies in the tower now. *)
Lemma one_replaced : forall r s ts s', run r s ts s' -> all_D ts <= 1 ->
  exists y, (forall c, y = Some c -> In c (faces (laid_cards s)) /\ all_D ts = 1) /\
    forall c, In c (stock s') -> In c (stock s) \/ y = Some c.
Proof.
  intros r s ts s' R L. destruct (Nat.eq_dec (all_D ts) 0) as [Z | N].
  - exists None. split; [discriminate |]. intros c I. left. exact (run_stock _ _ _ _ R Z c I).
  - destruct (first_D ts ltac:(lia)) as (a & t & b & -> & Za & D1).
    rewrite all_D_app, all_D_cons in L. destruct (run_split _ _ _ _ _ R) as (s1 & Ra & Rb).
    inversion Rb as [| ? ? s2 ? ? P _ Rc]; subst.
    assert (Zb : all_D b = 0) by lia.
    assert (G : forall c, In c (stock s') -> In c (stock s) \/ got t = Some c).
    { intros c I. apply (run_stock _ _ _ _ Rc Zb) in I. destruct (stock_pool _ _ I) as (i & J).
      destruct (turn_pool _ _ _ _ i c P J) as [K | K]; [left | auto].
      apply (run_stock _ _ _ _ Ra Za). exact (pool_stock _ _ _ K). }
    destruct (got t) as [y |] eqn:Gt.
    + destruct (turn_got _ _ _ _ y P Gt) as [Fy _].
      destruct (run_faces _ _ _ _ Ra Za y Fy) as [J | J].
      * exists (Some y). split; trivial. intros c E. inversion E; subst c. split; trivial.
        rewrite all_D_app, all_D_cons. lia.
      * exists None. split; [discriminate |]. intros c I. left. destruct (G c I) as [K | K]; trivial.
        inversion K; subst. trivial.
    + exists None. split; [discriminate |]. trivial.
Qed.

(** * One action D *)

(** What D pays with was the player's or was drawn; the cards are different, none of them is taken back
    but by itself. *)
Lemma pays_from : forall r s t s' u v E l x old, played r s t s' -> NoDup (all_cards s) ->
  act t = D u v E l x old ->
  NoDup (u :: v :: E) /\ incl (u :: v :: E) (pool s (due s)) /\
  pays r u v E (face l) /\ In (face l) (u :: v :: reserve s) /\
  (take_sent r = false -> face l <> u /\ face l <> v) /\
  (forall c, In c [u; v] -> c <> face l -> In c (reserve s' ++ gone s')) /\ incl E (gone s').
Proof.
  intros r s t s' u v E l x old [b a h h' R' d O B K _ Do Lg _ T O' W R G _ _] N Ea.
  rewrite Ea in Do, Lg. assert (Ds : exists h2 R2, Permutation (draw t ++ h) (u :: v :: E ++ h2) /\
    Permutation (u :: v :: reserve s) (face l :: R2) /\ row d = R2 /\ incl E (out d)).
  { inversion Do; subst; simpl; eexists; eexists; repeat split; eauto; intros c I; apply in_or_app; auto. }
  destruct Ds as (h2 & R2 & Ph & Pr & Er & Eo).
  assert (Pc : forall c, In c (u :: v :: E) -> In c (draw t ++ h)).
  { intros c I. apply (Permutation_in _ (Permutation_sym Ph)). simpl in *. rewrite in_app_iff. tauto. }
  assert (Nh : NoDup (u :: v :: E)).
  { assert (N' : NoDup (draw t ++ h)).
    { assert (Q : forall c, copies (draw t ++ h) c <= copies (all_cards s) c).
      { intros c. unfold all_cards. rewrite O, K, concat_app. simpl. rewrite !copies_app. lia. }
      apply (NoDup_count_occ card_dec). intros c. apply (NoDup_count_occ card_dec) with (x := c) in N.
      specialize (Q c). unfold copies in Q. lia. }
    apply (Permutation_NoDup Ph) in N'. change (u :: v :: E ++ h2) with ((u :: v :: E) ++ h2) in N'.
    apply once_app in N'. apply N'. }
  destruct Lg as (_ & Py & _ & _ & Ts & _).
  split; [trivial |]. split; [| split; [trivial |]; split; [| split; [trivial |]; split]].
  - intros c I. apply Pc in I. unfold pool. rewrite O, <- B, nth_middle, K. rewrite !in_app_iff in *. tauto.
  - apply (Permutation_in _ (Permutation_sym Pr)). left. trivial.
  - intros c I Nc. assert (J : In c (row d)).
    { rewrite Er. assert (M : In c (face l :: R2)).
      { apply (Permutation_in _ Pr). simpl in *. tauto. }
      destruct M as [M | M]; [congruence | trivial]. }
    rewrite R, G. apply (Permutation_in _ T) in J. rewrite !in_app_iff in *. tauto.
  - intros c I. rewrite G. rewrite !in_app_iff. auto.
Qed.
