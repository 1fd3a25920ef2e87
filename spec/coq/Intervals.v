(** Kind [interval]: table.md, "Cells against numbers". *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach OutOfOrder Counting Least Prices.
From Couperation Require Import Exchanges.
Import ListNotations.
Open Scope nat_scope.

(** * The check *)

(** "Either spare = 0, or [replace_target=facedown_only]." *)
Definition stays (r : rulings) (p : position) : bool :=
  (p_spare p =? 0)%Z || match replace_target r with facedown_only => true | _ => false end.

(** "Fixed are the up cards and, if spare = 0, the down cards that are known." *)
Definition p_fixed (p : position) (x : cell) : option Z :=
  match p_at (p_tower p) x with
  | Some (up, Some (Glass v)) => if up || (p_spare p =? 0)%Z then Some v else None
  | _ => None
  end.

Definition fixed_cells (p : position) : list (cell * Z) :=
  flat_map (fun a => match p_fixed p (fst a) with Some v => [(fst a, v)] | None => [] end) (p_tower p).

(** A cell has a lower bound of a at least: 0, a fixed cell below it, or F on the apex; *)
Definition above_a (r : rulings) (p : position) (l a : Z) (x : cell) : bool :=
  (a <? 1)%Z || existsb (fun e => belowb (fst e) x && (a <=? snd e)%Z) (fixed_cells p) ||
  match finish r, finish_value r with
  | true, is_25 => belowb (apex levels l) x && (a <=? if between_strict r then 25 else 24)%Z
  | _, _ => false
  end.

(** and an upper bound of b at most. *)
Definition below_b (r : rulings) (p : position) (l b : Z) (x : cell) : bool :=
  (50 <? b)%Z || existsb (fun e => belowb x (fst e) && (snd e <=? b)%Z) (fixed_cells p) ||
  match finish r, finish_value r with
  | true, is_25 => belowb x (apex levels l) && ((if between_strict r then 25 else 26) <=? b)%Z
  | _, _ => false
  end.

Definition free_cell (r : rulings) (p : position) (l : Z) (x : cell) : bool :=
  insideb levels l x && negb (finish r && (lev x =? Z.of_nat levels)%Z) &&
  match p_fixed p x with None => true | Some _ => false end.

(** "The numbers that can come are those that are not gone, not fixed, and if spare = 0 not in the
    Reserve." *)
Definition can_come (p : position) (v : Z) : bool :=
  negb (seen_in (p_gone p) (Glass v)) && negb (existsb (fun e => (snd e =? v)%Z) (fixed_cells p)) &&
  negb ((p_spare p =? 0)%Z && seen_in (p_reserve p) (Glass v)).

Definition comers (p : position) (a b : Z) : list Z :=
  filter (fun v => (a <? v)%Z && (v <? b)%Z && can_come p v) (range 1 50).

Lemma comers_in : forall p a b v, In v (comers p a b) <->
  (1 <= v <= 50)%Z /\ (a < v < b)%Z /\ can_come p v = true.
Proof.
  intros p a b v. unfold comers. rewrite filter_In, in_range, !andb_true_iff, !Z.ltb_lt.
  change (Z.of_nat 50) with 50%Z. intuition lia.
Qed.

Fixpoint different (l : list cell) : bool :=
  match l with [] => true | x :: l => negb (existsb (eqb x) l) && different l end.

(** More free cells of the place l have their windows inside (a, b) than numbers that can come lie
    between. *)
Definition interval_check (r : rulings) (p : position) (l a b : Z) (xs : list cell) : bool :=
  stays r p &&
  forallb (fun k => (k =? l)%Z || negb (forallb (fun e => insideb levels k (fst e)) (p_tower p)))
    (places r) &&
  different xs && forallb (fun x => free_cell r p l x && above_a r p l a x && below_b r p l b x) xs &&
  (length (comers p a b) <? length xs).

(** * Its theorem *)

Lemma different_once : forall l, different l = true -> NoDup l.
Proof.
  induction l as [| x l IH]; simpl; intros E; constructor;
    apply andb_true_iff in E; destruct E as [N E]; auto.
  intros I. apply negb_true_iff in N. assert (existsb (eqb x) l = true); [| congruence].
  apply existsb_exists. exists x. split; trivial. apply eqb_true. trivial.
Qed.

(** In a final tower the numbers of Glass cards rise along the order. *)
Lemma order_rises : forall r s T l x y v w, sound r s -> final r s T ->
  (forall x, inside levels l x <-> In x (map fst T)) -> below x y ->
  In (x, Up (Glass v)) T -> In (y, Up (Glass w)) T -> (v < w)%Z.
Proof.
  intros r s T l x y v w S Fi Pl B X Y.
  assert (Ix : inside levels l x) by (apply Pl; exact (in_map fst _ _ X)).
  assert (Iy : inside levels l y) by (apply Pl; exact (in_map fst _ _ Y)).
  destruct (finish r) eqn:Fv.
  - destruct (finish_ends_on_apex _ _ _ Fv Fi) as (a & A & La).
    assert (Na : forall z u, In (z, Up (Glass u)) T -> inside levels l z -> inside_but_apex levels l z).
    { intros z u Z Iz. split; trivial. intros E.
      assert (Ia : inside levels l a) by (apply Pl; exact (in_map fst _ _ A)).
      assert (z = a) as ->.
      { subst z. apply cell_ext; unfold inside, apex, levels, col, lev in *; cbn [fst snd] in *; lia. }
      pose proof (once_laid _ _ _ _ (final_cells _ _ _ Fi) A Z). discriminate. }
    exact (glass_rises r s T 0 l S Fi Pl Fv x y v w (Na x v X Ix) (Na y w Y Iy) B X Y).
  - assert (C : Relation_Operators.clos_trans _ (step_in (inside levels l)) x y).
    { apply below_generated. auto. }
    clear Ix Iy B. revert v w X Y. induction C as [x y (Ix & Iy & St) | x z y C1 IH1 C2 IH2]; intros v w X Y.
    + apply (rises r s T 0 Fi x y v w X Y).
      * intros E. subst y. exact (below_irrefl x (step_below _ _ St)).
      * destruct St as [[_ E] | [_ E]]; auto.
    + destruct (steps_below _ _ _ C1) as (_ & Iz & _).
      destruct (glass_there r s T l S Fi Pl z Iz) as (u & Z & _); [congruence |].
      apply Z.lt_trans with u; auto.
Qed.

(** "Without a D they stay, and opened where they lie." *)
Lemma fixed_stays : forall r p s ts s' x v, sound r s -> fits p s -> stays r p = true -> wins r s ts s' ->
  p_fixed p x = Some v -> In (x, Up (Glass v)) (laid_cards s').
Proof.
  intros r p s ts s' x v S H St Wn Fx. pose proof (wins_final _ _ _ _ S Wn) as Fi.
  pose proof (fits_at p s x (sound_cells _ _ S) H) as At. unfold p_fixed in Fx.
  destruct (p_at (p_tower p) x) as [[up [[u |] |]] |]; try discriminate.
  destruct At as (k & At & U & Sw). simpl in Sw.
  destruct (up || (p_spare p =? 0)%Z) eqn:Up0; [| discriminate]. inversion Fx; subst u. clear Fx.
  apply at_cell_in in At; [| apply S].
  assert (Lx : In x (map fst (laid_cards s'))) by (apply (final_laid _ _ _ Fi); exact (in_map fst _ _ At)).
  apply in_map_iff in Lx. destruct Lx as ([y k'] & Ey & J). simpl in Ey. subst y.
  enough (E : face k = face k').
  { pose proof (final_up _ _ _ Fi x k' J) as Uk. destruct k' as [c | c]; [| discriminate].
    simpl in E. rewrite Sw in E. subst c. trivial. }
  destruct (card_dec (face k) (face k')) as [| Ne]; trivial. exfalso.
  unfold stays in St. apply orb_true_iff in St. destruct (Z.eqb_spec (p_spare p) 0) as [E0 | N0].
  - (* nothing to spare: no price *)
    pose proof (price_paid r true _ _ _ S Wn) as Pd. apply account in Wn.
    rewrite <- (fits_spare _ _ H) in E0. unfold spare in E0.
    assert (P1 : price r true s (x, k') = 1).
    { unfold price. simpl. rewrite (proj1 (at_cell_in _ _ _ (sound_cells _ _ S)) At).
      destruct (same_card (face k) (face k')) eqn:Q; [apply same_card_true in Q; tauto |].
      rewrite orb_true_r. trivial. }
    unfold tower_price in Pd. apply in_split in J. destruct J as (m1 & m2 & Em). rewrite Em, sum_app in Pd.
    simpl in Pd. rewrite P1 in Pd. lia.
  - rewrite orb_false_r in Up0. subst up. destruct St as [St | St]; [discriminate |].
    apply (price_had _ _ _ _ S Wn x k k' At J); auto. unfold kept.
    destruct (replace_target r); try discriminate. destruct k as [c | c]; [eauto | discriminate].
Qed.

Theorem interval_check_dead : forall r p l a b xs, interval_check r p l a b xs = true -> dead_position r p.
Proof.
  intros r p l a b xs C s S H ts s' Wn. unfold interval_check in C. rewrite !andb_true_iff in C.
  destruct C as ((((St & One) & Df) & Fr) & Few).
  pose proof (wins_final _ _ _ _ S Wn) as Fi. set (T := laid_cards s') in *.
  destruct (final_fills _ _ _ Fi) as (l' & Pl & In_T).
  assert (l' = l) as ->.
  { rewrite forallb_forall in One. specialize (One l' Pl). apply orb_true_iff in One.
    destruct One as [One | One]; [apply Z.eqb_eq; trivial |]. exfalso. apply negb_true_iff in One.
    assert (forallb (fun e => insideb levels l' (fst e)) (p_tower p) = true); [| congruence].
    apply forallb_forall. intros [x k] I. apply insideb_true, In_T, (final_laid _ _ _ Fi).
    rewrite <- (fits_cells _ _ H). exact (in_map fst _ _ I). }
  rewrite forallb_forall in Fr.
  assert (Fx : forall x v, In (x, v) (fixed_cells p) -> In (x, Up (Glass v)) T /\ p_fixed p x = Some v).
  { intros x v I. unfold fixed_cells in I. apply in_flat_map in I. destruct I as ([y k] & _ & I). simpl in I.
    destruct (p_fixed p y) as [u |] eqn:E; [| destruct I]. destruct I as [I | []]. inversion I; subst.
    split; trivial. exact (fixed_stays r p s ts s' x v S H St Wn E). }
  (* the number of each of these cells *)
  assert (Num : forall x, In x xs -> exists v, In (x, Up (Glass v)) T /\
    In v (comers p a b)).
  { intros x X. specialize (Fr x X). rewrite !andb_true_iff in Fr. destruct Fr as ((Fc & Lo) & Hi).
    unfold free_cell in Fc. rewrite !andb_true_iff in Fc. destruct Fc as ((Ix & Na) & Nf).
    apply insideb_true in Ix. apply negb_true_iff in Na.
    destruct (glass_there r s T l S Fi In_T x Ix) as (v & I & Rv).
    { intros Fv. rewrite Fv in Na. simpl in Na. apply Z.eqb_neq in Na. trivial. }
    exists v. split; trivial. apply comers_in. split; [lia |].
    pose proof (bound_kept r s T 0 l S Fi In_T x v Ix I) as Bd. unfold bound_by_F in Bd.
    split; [split |].
    - unfold above_a in Lo. rewrite !orb_true_iff in Lo. destruct Lo as [[Lo | Lo] | Lo].
      + apply Z.ltb_lt in Lo. lia.
      + apply existsb_exists in Lo. destruct Lo as ([q u] & Iq & E). simpl in E. apply andb_true_iff in E.
        destruct E as [Bq E]. apply belowb_true in Bq. destruct (Fx q u Iq) as [Q _].
        pose proof (order_rises r s T l q x u v S Fi In_T Bq Q I). lia.
      + destruct (finish r); [| discriminate]. destruct (finish_value r); try discriminate.
        apply andb_true_iff in Lo. destruct Lo as [Ba La]. apply andb_true_iff in Bd. destruct Bd as [_ Bd].
        rewrite Ba in Bd. simpl in Bd. apply Nat.ltb_lt in Bd. destruct (between_strict r); lia.
    - unfold below_b in Hi. rewrite !orb_true_iff in Hi. destruct Hi as [[Hi | Hi] | Hi].
      + apply Z.ltb_lt in Hi. lia.
      + apply existsb_exists in Hi. destruct Hi as ([q u] & Iq & E). simpl in E. apply andb_true_iff in E.
        destruct E as [Bq E]. apply belowb_true in Bq. destruct (Fx q u Iq) as [Q _].
        pose proof (order_rises r s T l x q v u S Fi In_T Bq I Q). lia.
      + destruct (finish r); [| discriminate]. destruct (finish_value r); try discriminate.
        apply andb_true_iff in Hi. destruct Hi as [Ba Ha]. apply andb_true_iff in Bd. destruct Bd as [Bd _].
        rewrite Ba in Bd. simpl in Bd. apply Nat.ltb_lt in Bd. destruct (between_strict r); lia.
    - assert (Fv : In (Glass v) (faces T)) by exact (in_map (fun e => face (snd e)) _ _ I).
      unfold can_come. rewrite !andb_true_iff, !negb_true_iff. split; [split |].
      + destruct (seen_in (p_gone p) (Glass v)) eqn:Se; trivial. exfalso. apply seen_in_some in Se.
        apply (final_from _ _ _ Fi _ Fv). exact (seen_some _ _ _ (fits_gone _ _ H) Se).
      + destruct (existsb (fun e => (snd e =? v)%Z) (fixed_cells p)) eqn:Ex; trivial. exfalso.
        apply existsb_exists in Ex. destruct Ex as ([q u] & Iq & E). simpl in E. apply Z.eqb_eq in E. subst u.
        destruct (Fx q v Iq) as [Q Fq].
        assert (q = x) as -> by exact (faces_one T q x _ _ (final_once _ _ _ Fi) Q I eq_refl).
        rewrite Fq in Nf. discriminate.
      + destruct ((p_spare p =? 0)%Z && seen_in (p_reserve p) (Glass v)) eqn:Ex; trivial. exfalso.
        apply andb_true_iff in Ex. destruct Ex as [E0 Se]. apply Z.eqb_eq in E0. apply seen_in_some in Se.
        pose proof (seen_some _ _ _ (fits_reserve _ _ H) Se) as Rs.
        pose proof (price_paid r true _ _ _ S Wn) as Pd. pose proof (account _ _ _ _ Wn) as Ac.
        rewrite <- (fits_spare _ _ H) in E0. unfold spare in E0.
        assert (P1 : price r true s (x, Up (Glass v)) = 1).
        { unfold price. simpl. destruct (at_cell (laid_cards s) x) as [k |] eqn:At.
          - destruct (same_card (face k) (Glass v)) eqn:Q; [| rewrite orb_true_r; trivial].
            apply same_card_true in Q. apply at_cell_in in At; [| apply S].
            exfalso. apply (one_place s (Glass v) (sound_cards _ _ S)).
            + rewrite <- Q. exact (in_map (fun e => face (snd e)) _ _ At).
            + apply in_or_app. auto.
          - rewrite (proj2 (holds_true _ _) Rs). trivial. }
        unfold tower_price in Pd. fold T in Pd. apply in_split in I. destruct I as (m1 & m2 & Em).
        rewrite Em, sum_app in Pd. simpl in Pd. rewrite P1 in Pd. lia. }
  (* distinct cells have distinct numbers: more of them than there are *)
  assert (G : forall ys, NoDup ys -> incl ys xs -> exists vs, NoDup vs /\ length vs = length ys /\
    (forall v, In v vs -> exists x, In x ys /\ In (x, Up (Glass v)) T /\
      In v (comers p a b))).
  { induction ys as [| y ys IH]; intros N I.
    - exists []. split; [constructor |]. split; [trivial |]. intros v [].
    - inversion N as [| ? ? N1 N2]; subst. destruct IH as (vs & Nv & Lv & Hv); trivial.
      { intros z Z. apply I. right. trivial. }
      destruct (Num y (I y (or_introl eq_refl))) as (v & Y & Fv). exists (v :: vs). split; [| split].
      + constructor; trivial. intros J. destruct (Hv v J) as (x & X & Xv & _).
        assert (x = y) by exact (faces_one T x y _ _ (final_once _ _ _ Fi) Xv Y eq_refl). congruence.
      + simpl. congruence.
      + intros u [<- | U]; [exists y; simpl; auto |]. destruct (Hv u U) as (x & X & Q).
        exists x. simpl. auto. }
  destruct (G xs (different_once _ Df) (incl_refl _)) as (vs & Nv & Lv & Hv).
  apply Nat.ltb_lt in Few.
  assert (length vs <= length (comers p a b)); [| lia].
  apply NoDup_incl_length; trivial. intros v V. destruct (Hv v V) as (_ & _ & _ & Q). trivial.
Qed.

(** ** Example: the 1 and the 3 next to each other, and one cell between them above; the 2 is gone *)

Definition over_1_and_3 (gone_2 : list sight) (deck_size : nat) : position :=
  Position [[None; None; None]; [None; None; None]] (repeat None deck_size)
    [((5, 1), (true, Some (Glass 1))); ((6, 1), (true, Some (Glass 3)))]%Z (repeat None 6) gone_2 0 1.

Definition in_the_middle : rulings :=
  Rulings false false true true by_integers any_card false no_win is_25 false false true.

Example no_2 : interval_check in_the_middle (over_1_and_3 [Some (Glass 2)] 20) 3 1 3 [(5, 2)%Z] = true.
Proof. vm_compute. reflexivity. Qed.

Example with_2 : interval_check in_the_middle (over_1_and_3 [] 20) 3 1 3 [(5, 2)%Z] = false.
Proof. vm_compute. reflexivity. Qed.
