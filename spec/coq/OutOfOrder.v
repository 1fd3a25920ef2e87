(** A tower out of order: table.md, kind [order]. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach.
Import ListNotations.
Open Scope nat_scope.

(** * Some laid cards, and a card in place of one of them *)

(** The cards of a tower on the cells K, as they lie. *)
Definition only (K : list cell) (W : tower) : tower := filter (fun e => existsb (eqb (fst e)) K) W.

(** The same with l in place of what lies on x. *)
Definition put (x : cell) (l : laid) (W : tower) : tower :=
  map (fun e => if eqb (fst e) x then (x, l) else e) W.

Lemma only_in : forall K W y k, In (y, k) (only K W) <-> In (y, k) W /\ In y K.
Proof.
  intros K W y k. unfold only. rewrite filter_In, existsb_exists. simpl. split.
  - intros (I & z & Z & E). apply eqb_true in E. subst z. auto.
  - intros [I J]. split; trivial. exists y. split; trivial. apply eqb_true. trivial.
Qed.

Lemma put_in : forall x l W y k, In (y, k) (put x l W) <->
  (y = x /\ k = l /\ In x (map fst W)) \/ (y <> x /\ In (y, k) W).
Proof.
  intros x l W y k. unfold put. rewrite in_map_iff. split.
  - intros ([z j] & E & I). simpl in E. destruct (eqb_spec z x) as [-> | N].
    + inversion E; subst. left. repeat split; trivial. exact (in_map fst _ _ I).
    + inversion E; subst. auto.
  - intros [(-> & -> & I) | [N I]].
    + apply in_map_iff in I. destruct I as ([z j] & E & I). simpl in E. subst z. exists (x, j).
      simpl. rewrite (proj2 (eqb_true x x) eq_refl). auto.
    + exists (y, k). simpl. destruct (eqb_spec y x); tauto.
Qed.

Lemma only_once : forall K W, NoDup (map fst W) -> NoDup (map fst (only K W)).
Proof. intros K W. apply filter_once. Qed.

Lemma put_cells : forall x l W, map fst (put x l W) = map fst W.
Proof.
  intros x l W. unfold put. rewrite map_map. apply map_ext. intros e.
  destruct (eqb_spec (fst e) x) as [E | _]; simpl; congruence.
Qed.

(** * The condition *)

(** K is out of order, and no Glass card in place of one of its cards that [replace_target] lets D replace
    puts K in order, lying up or, under [reserve_face=either], down. *)
Definition out_of_order (r : rulings) (s : table) (K : list cell) : Prop :=
  let V := only K (laid_cards s) in
  ~ orders r V /\
  forall x k v, In (x, k) V -> may_replace r (moved s) x k -> (1 <= v <= 50)%Z ->
    ~ orders r (put x (Up (Glass v)) V) /\
    (reserve_either r = true -> ~ orders r (put x (Down (Glass v)) V)).

(** * Opening a card mends nothing *)

(** "Opening it adds orders or makes them strict, and takes none away", and "if numbers for all down cards
    did not exist, none exist with one of them fixed": where the opened tower V' is in order, V was, with
    the number v of the opened card for the back that lay on x. *)
Lemma opened_orders : forall r V V' x v, NoDup (map fst V) -> (1 <= v <= 50)%Z ->
  (forall y k, In (y, k) V -> In (y, k) V' \/ (y = x /\ k = Down (Glass v) /\ In (x, Up (Glass v)) V')) ->
  (forall c, ~ In (x, Down c) V') ->
  orders r V' -> orders r V.
Proof.
  intros r V V' x v N R Sub Nb [O Nu].
  assert (Sh : forall y n, shows r V y n -> shows r V' y n).
  { intros y n (c & I & Rd). destruct (Sub y _ I) as [J | (_ & E & _)]; [exists c; auto | discriminate]. }
  split; [exact (ordered_fewer _ _ _ _ Sh O) |].
  destruct Nu as [Ig | (h & B & Oh)]; [left; trivial | right].
  exists (fun y => if eqb y x then v else h y). split.
  - intros y c I. destruct (eqb_spec y x) as [-> | Ny].
    + unfold back_range. destruct (facedown r); trivial.
    + destruct (Sub y _ I) as [J | (E & _)]; [eauto | tauto].
  - apply ordered_fewer with (bears r h V'); trivial. intros y n [S | (c & I & E)]; [left; auto |].
    destruct (Sub y _ I) as [J | (Ey & Ec & J)].
    + destruct (eqb_spec y x) as [-> | Ny]; [destruct (Nb c J) | right; eauto].
    + rewrite Ey in E. rewrite (proj2 (eqb_true x x) eq_refl) in E. left. subst n y.
      exists (Glass v). split; trivial.
Qed.

(** * A turn leaves K out of order or is no turn *)

(** A card that D takes and that a cell below the apex, or any cell beside F's game, bears, has a number. *)
Lemma orders_25_for_F : forall r x V, num r F = Some 25%Z ->
  (finish_value r = apex_free -> lev x <> Z.of_nat levels) ->
  orders r (put x (Up F) V) -> orders r (put x (Up (Glass 25)) V).
Proof.
  intros r x V Nm Ap O. revert O. apply orders_alike.
  - intros y n (c & I & Rd). apply put_in in I. destruct I as [(-> & E & I) | (Ny & I)].
    + inversion E; subst c. exists F. split; [apply put_in; auto |]. simpl in Rd.
      unfold read. simpl in Rd. destruct (finish_value r) eqn:Fv; try (rewrite Nm; trivial; fail).
      destruct (Z.eqb_spec (lev x) (Z.of_nat levels)); [destruct (Ap eq_refl e) | rewrite Nm; trivial].
    + exists c. split; trivial. apply put_in. auto.
  - intros y c I. apply put_in in I. destruct I as [(_ & E & _) | (Ny & I)]; [discriminate |].
    exists c. apply put_in. auto.
Qed.

Lemma does_D_cards : forall d u v E l x old d', does d (D u v E l x old) d' ->
  In (face l) (u :: v :: row d) /\ In u (hand d) /\ In v (hand d).
Proof.
  intros d u v E l x old d' H.
  inversion H as [| | | h h' W R R' G m u' v' E' l' x' P Q N | h h' W V R R' G m u' v' E' l' x' old' P Q |];
    subst; simpl; repeat split;
    try (apply (Permutation_in _ (Permutation_sym Q)); simpl; auto; fail);
    apply (Permutation_in _ (Permutation_sym P)); simpl; auto.
Qed.

(** Cards of the player's, the deck's and the Reserve are cards of the table. *)
Lemma taken_from : forall r s t s' c, played r s t s' -> taken t = Some c ->
  In c (concat (own s) ++ deck s ++ reserve s).
Proof.
  intros r s t s' c [b a h h' R' d O _ K _ Do _ _ _ _ _ _ _ _ _] T. unfold taken in T.
  destruct (act t) as [| | | u v E l x old |]; try discriminate. inversion T; subst c. clear T.
  rewrite O, K, concat_app. simpl.
  pose proof (does_D_cards _ _ _ _ _ _ _ _ Do) as G. simpl in G.
  destruct G as (G & U & V). rewrite !in_app_iff in *. destruct G as [<- | [<- | G]]; tauto.
Qed.

Lemma taken_of_table : forall r s t s' c, played r s t s' -> taken t = Some c -> In c (all_cards s).
Proof.
  intros r s t s' c P T. pose proof (taken_from _ _ _ _ _ P T) as I.
  unfold all_cards. rewrite !in_app_iff in *. tauto.
Qed.

(** A D that replaces a card of K leaves K out of order, which no legal D does. *)
Lemma replacing_mends_not : forall r s t s' K x, sound r s -> played r s t s' -> out_of_order r s K ->
  replaced t = Some x -> In x K -> False.
Proof.
  intros r s t s' K x S P [_ Bad] Rp Kx.
  pose proof (apex_keeps_F r s t s' x S) as Keep. pose proof (taken_of_table r s t s') as Tk.
  pose proof (taken_has_number r s t s') as Tn.
  pose proof P as [b a h h' R' d _ _ _ _ Do Lg _ _ _ W _ _ _ _].
  unfold replaced in Rp. destruct (act t) as [| | | u v E l y [old |] |] eqn:Ea; try discriminate.
  inversion Rp; subst y. destruct Lg as ((Or & _ & Ap) & _ & Nf & Ei & _ & Mr). simpl in Mr.
  destruct (does_replace _ _ _ _ _ _ _ _ Do) as (V1 & V2 & E1 & E2). simpl in E1.
  set (V := only K (laid_cards s)).
  assert (Ix : In (x, old) V).
  { apply only_in. split; trivial. rewrite E1. apply in_or_app. simpl. auto. }
  assert (O : orders r (put x l V)).
  { revert Or. apply orders_fewer. intros [y k] I. rewrite E2. apply put_in in I.
    destruct I as [(-> & -> & _) | (Ny & I)]; [apply in_or_app; simpl; auto |].
    apply only_in in I. destruct I as [I _]. rewrite E1 in I. apply in_app_or in I. apply in_or_app. simpl.
    destruct I as [I | [I | I]]; auto. inversion I; congruence. }
  assert (T : taken t = Some (face l)) by (unfold taken; rewrite Ea; trivial).
  specialize (Tk _ P T). specialize (Tn _ P T).
  destruct l as [[w |] | [w |]]; simpl in *.
  - exact (proj1 (Bad x old w Ix Mr (sound_numbers _ _ S w Tk)) O).
  - assert (Fv : finish r = true).
    { destruct (finish r) eqn:Fv; trivial. destruct (sound_variant _ _ S Fv Tk). }
    destruct Tn as (n & Tn). assert (Nm : num r F = Some 25%Z).
    { unfold num in *. destruct (finish_value r); trivial. discriminate. }
    apply (proj1 (Bad x old 25%Z Ix Mr ltac:(lia))). apply orders_25_for_F; trivial.
    intros _ L. assert (Io : In (x, old) (laid_cards s)) by (apply only_in in Ix; tauto).
    destruct (sound_apex _ _ S x old Io L) as [_ Eo]. rewrite (Eo Fv) in Io.
    apply (Keep Fv P Io L). unfold replaced. rewrite Ea. trivial.
  - apply (proj2 (Bad x old w Ix Mr (sound_numbers _ _ S w Tk))); auto.
  - congruence.
Qed.

(** "A, B, a D on an empty cell and a D that replaces a card outside K leave K as it lies, so out of
    order." *)
Lemma laying_mends_not : forall r s t s' K, played r s t s' -> out_of_order r s K ->
  (exists x, target (act t) = Some x) -> (forall x, replaced t = Some x -> ~ In x K) -> False.
Proof.
  intros r s t s' K [b a h h' R' d _ _ _ _ Do Lg _ _ _ W _ _ _ _] [Bad _] (x & T) Nr.
  assert (O : orders r (tow d)) by (destruct (act t); try discriminate; apply Lg).
  apply Bad. revert O. apply orders_fewer. intros [y k] I. apply only_in in I. destruct I as [I Ky].
  remember (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s)) as d0 eqn:Ed.
  replace (laid_cards s) with (tow d0) in I by (rewrite Ed; trivial). clear Ed Lg.
  unfold replaced in Nr. destruct Do; simpl in *; try discriminate; auto.
  apply in_app_or in I. apply in_or_app. simpl. destruct I as [I | [I | I]]; auto.
  inversion I; subst. destruct (Nr y eq_refl Ky).
Qed.

(** "What has become of K by then is out of order, and no card mends it that did not before." *)
Lemma turn_out_of_order : forall r s t s' K, sound r s -> played r s t s' -> not_lost r t s' ->
  out_of_order r s K -> out_of_order r s' K.
Proof.
  intros r s t s' K S P NL Bad.
  assert (C : {x | target (act t) = Some x} + {target (act t) = None}).
  { destruct (target (act t)); eauto. }
  destruct C as [[x T] | T].
  - exfalso. destruct (replaced t) as [y |] eqn:Rp.
    + destruct (in_dec cell_dec y K) as [Ky | Ky].
      * exact (replacing_mends_not r s t s' K y S P Bad Rp Ky).
      * apply (laying_mends_not r s t s' K P Bad); [eauto |]. congruence.
    + apply (laying_mends_not r s t s' K P Bad); [eauto |]. congruence.
  - pose proof (turn_cells _ _ _ _ P (sound_cells _ _ S)) as N'.
    pose proof P as [b a h h' R' d _ _ _ _ Do _ _ _ _ W _ _ Mv _].
    unfold out_of_order in *. rewrite Mv. rewrite W in *. clear NL P W Mv.
    destruct S as [S1 S2 S3 S4 S5 S6 S7].
    remember (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s)) as d0 eqn:Ed.
    assert (E1 : laid_cards s = tow d0) by (rewrite Ed; trivial).
    assert (E2 : moved s = off d0) by (rewrite Ed; trivial). clear Ed. rewrite E1, E2 in Bad.
    rewrite E1 in S2. pose proof (fun y => S5 y) as S5'. rewrite E1 in S5'.
    destruct Do as [| | h0 V1 V2 R G m x c | | |]; simpl in *; try discriminate; trivial. clear T.
    set (W := V1 ++ (x, Down c) :: V2) in *. set (W' := V1 ++ (x, Up c) :: V2) in *.
    assert (Ix : In (x, Down c) W) by (apply in_or_app; simpl; auto).
    assert (Ix' : In (x, Up c) W') by (apply in_or_app; simpl; auto).
    assert (Nb : forall e, ~ In (x, Down e) W').
    { intros e I. pose proof (once_laid _ _ _ _ N' I Ix'). discriminate. }
    assert (Sub : forall y k, In (y, k) W -> In (y, k) W' \/ (y = x /\ k = Down c)).
    { intros y k I. apply in_app_or in I. unfold W'. rewrite in_app_iff. simpl.
      destruct I as [I | [I | I]]; auto. inversion I; auto. }
    assert (Sup : forall y k, In (y, k) W' -> y <> x -> In (y, k) W).
    { intros y k I Ny. apply in_app_or in I. apply in_or_app. simpl.
      destruct I as [I | [I | I]]; auto. inversion I; congruence. }
    destruct c as [v |]; [| destruct (S5' x Ix)].
    assert (Rv : (1 <= v <= 50)%Z).
    { apply S6. unfold all_cards. rewrite E1. rewrite !in_app_iff. right. right. left.
      exact (in_map (fun e => face (snd e)) _ _ Ix). }
    assert (Op : orders r (only K W') -> orders r (only K W)).
    { apply opened_orders with x v; trivial.
      - apply only_once. trivial.
      - intros y k I. apply only_in in I. destruct I as [I Ky]. rewrite !only_in.
        destruct (Sub y k I) as [J | [-> ->]]; auto.
      - intros e I. apply only_in in I. exact (Nb e (proj1 I)). }
    assert (Pt : forall y k l, In (y, k) (only K W') -> orders r (put y l (only K W')) ->
      orders r (put y l (only K W))).
    { intros y k l Iy. assert (Yk : In y (map fst (only K W'))) by exact (in_map fst _ _ Iy).
      destruct (cell_dec y x) as [-> | Ny].
      - apply orders_fewer. intros [z j] I. apply put_in in I. apply put_in.
        destruct I as [(-> & -> & _) | (Nz & I)]; [auto | right]. split; trivial.
        apply only_in in I. apply only_in. destruct I as [I Kz]. split; trivial.
        destruct (Sub z j I) as [J | [J _]]; [trivial | congruence].
      - apply opened_orders with x v; trivial.
        + rewrite put_cells. apply only_once. trivial.
        + intros z j I. apply put_in in I. rewrite !put_in.
          destruct I as [(-> & -> & _) | (Nz & I)]; [left; left; auto |].
          apply only_in in I. destruct I as [I Kz]. rewrite !only_in.
          destruct (Sub z j I) as [J | [-> ->]]; [left; right; auto |].
          right. repeat split; trivial. right. auto.
        + intros e I. apply put_in in I. destruct I as [(E & _) | (_ & I)]; [congruence |].
          apply only_in in I. exact (Nb e (proj1 I)). }
    destruct Bad as [Bad1 Bad2]. split; [auto |].
    intros y k w Iy Mr Rw. assert (Gk : exists k', In (y, k') (only K W) /\ may_replace r m y k').
    { apply only_in in Iy. destruct Iy as [Iy Ky]. destruct (cell_dec y x) as [-> | Ny].
      - exists (Down (Glass v)). split; [apply only_in; auto |].
        rewrite (once_laid _ _ _ _ N' Iy Ix') in Mr. unfold may_replace in *.
        destruct (replace_target r); trivial.
      - exists k. split; trivial. apply only_in. auto. }
    destruct Gk as (k' & Ik & Mk). destruct (Bad2 y k' w Ik Mk Rw) as [B1 B2].
    split; [intros O; apply B1; eauto | intros Ei O; apply (B2 Ei); eauto].
Qed.

Lemma run_out_of_order : forall r s ts s' K, run r s ts s' -> sound r s -> out_of_order r s K ->
  out_of_order r s' K.
Proof.
  intros r s ts s' K R. induction R as [s | s t s1 ts s2 P NL _ IH]; trivial.
  intros S Bad. apply IH; [eapply turn_sound; eauto | eapply turn_out_of_order; eauto].
Qed.

(** A tower of up cards that is in order keeps all orders. *)
Lemma up_orders : forall r W, (forall x k, In (x, k) W -> is_up k = true) -> in_order r W -> orders r W.
Proof.
  intros r W U O. split; trivial. right. exists (fun _ => 0%Z).
  assert (Nd : forall x c, ~ In (x, Down c) W) by (intros x c I; specialize (U _ _ I); discriminate).
  split; [intros x c I; destruct (Nd x c I) |].
  assert (O1 : ordered (row_strict r) (between_strict r) (bears r (fun _ => 0%Z) W)).
  { revert O. apply ordered_fewer. intros x n [S | (c & I & _)]; [trivial | destruct (Nd x c I)]. }
  unfold strict_with_backs. destruct (facedown r); trivial.
  assert (Wk : forall s a b, less s a b -> less false a b) by (intros [] a b; unfold less; lia).
  destruct O1 as (R1 & L1 & G1). split; [| split].
  - intros x y a b X Y L C. exact (Wk _ _ _ (R1 x y a b X Y L C)).
  - intros x a b X Y. exact (Wk _ _ _ (L1 x a b X Y)).
  - intros x a b X Y. exact (Wk _ _ _ (G1 x a b X Y)).
Qed.

(** Kind [order]: the table is dead. *)
Theorem order_dead : forall r s K, sound r s -> out_of_order r s K -> dead r s.
Proof.
  intros r s K S Bad ts s' Wn.
  pose proof (run_out_of_order _ _ _ _ K (wins_run _ _ _ _ Wn) S Bad) as [B _].
  pose proof (wins_final _ _ _ _ S Wn) as Fi. apply B.
  apply orders_fewer with (laid_cards s').
  - intros [y k] I. apply only_in in I. tauto.
  - apply up_orders; [exact (final_up _ _ _ Fi) | exact (final_order _ _ _ Fi)].
Qed.
