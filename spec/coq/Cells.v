(** Cells, pyramids and the order of cells: completability.md, "Definitions" and "Why this order". *)

From Coq Require Import List ZArith Lia Bool Relations Sorted.
Import ListNotations.
Open Scope Z_scope.

(** * Cells *)

(** A cell is a column, 0 for a, and a level, 1 for the lowest. *)
Definition cell : Type := (Z * Z)%type.
Definition col (p : cell) : Z := fst p.
Definition lev (p : cell) : Z := snd p.

Definition eqb (p q : cell) : bool := (col p =? col q) && (lev p =? lev q).

Lemma eqb_spec : forall p q, reflect (p = q) (eqb p q).
Proof.
  intros [a b] [c d]. unfold eqb, col, lev; simpl.
  destruct (Z.eqb_spec a c), (Z.eqb_spec b d); simpl; constructor; congruence.
Qed.

Lemma eqb_true : forall p q, eqb p q = true <-> p = q.
Proof. intros p q. destruct (eqb_spec p q); split; congruence. Qed.

Definition cell_dec (p q : cell) : {p = q} + {p <> q} := reflect_dec _ _ (eqb_spec p q).

Lemma cell_ext : forall p q, col p = col q -> lev p = lev q -> p = q.
Proof. intros [a b] [c d]; unfold col, lev; simpl; congruence. Qed.

(** The supports of a cell above level 1: its own column one level down, and the right neighbour of that. *)
Definition left_support (p : cell) : cell := (col p, lev p - 1).
Definition right_support (p : cell) : cell := (col p + 1, lev p - 1).

(** The pyramid P(l) of h levels: the cells with 1 <= lev <= h and l <= col <= l + h - lev. *)
Definition inside (h : nat) (l : Z) (p : cell) : Prop :=
  1 <= lev p <= Z.of_nat h /\ l <= col p <= l + Z.of_nat h - lev p.

Definition insideb (h : nat) (l : Z) (p : cell) : bool :=
  (1 <=? lev p) && (lev p <=? Z.of_nat h) && (l <=? col p) && (col p <=? l + Z.of_nat h - lev p).

Lemma insideb_true : forall h l p, insideb h l p = true <-> inside h l p.
Proof.
  intros h l p. unfold insideb, inside.
  rewrite !andb_true_iff, !Z.leb_le. tauto.
Qed.

(** The apex of P(l). *)
Definition apex (h : nat) (l : Z) : cell := (l, Z.of_nat h).

(** The printed tower has seven levels. *)
Definition levels : nat := 7.

(** * The order *)

Definition below (p q : cell) : Prop := p <> q /\ col p <= col q /\ col p + lev p <= col q + lev q.

Definition belowb (p q : cell) : bool :=
  negb (eqb p q) && (col p <=? col q) && (col p + lev p <=? col q + lev q).

Lemma belowb_true : forall p q, belowb p q = true <-> below p q.
Proof.
  intros p q. unfold belowb, below.
  rewrite !andb_true_iff, negb_true_iff, !Z.leb_le.
  destruct (eqb_spec p q); intuition congruence.
Qed.

Lemma below_irrefl : forall p, ~ below p p.
Proof. intros p [H _]. congruence. Qed.

(** Two cells p < q differ in the column or in column + level. *)
Lemma below_strict : forall p q, below p q -> col p < col q \/ col p + lev p < col q + lev q.
Proof.
  intros p q (N & A & B).
  destruct (Z.eq_dec (col p) (col q)); [right | left; lia].
  destruct (Z.eq_dec (col p + lev p) (col q + lev q)); [| lia].
  exfalso. apply N. apply cell_ext; lia.
Qed.

Lemma below_intro : forall p q,
  col p <= col q -> col p + lev p <= col q + lev q ->
  col p < col q \/ col p + lev p < col q + lev q -> below p q.
Proof. intros p q A B C. repeat split; trivial. intros ->. lia. Qed.

Lemma below_trans : forall p q r, below p q -> below q r -> below p r.
Proof.
  intros p q r A B. pose proof (below_strict _ _ A). pose proof (below_strict _ _ B).
  destruct A as (_ & A1 & A2), B as (_ & B1 & B2). apply below_intro; lia.
Qed.

Lemma below_asym : forall p q, below p q -> ~ below q p.
Proof. intros p q A B. exact (below_irrefl p (below_trans _ _ _ A B)). Qed.

(** "2 col + lev rises along the order." *)
Definition key (p : cell) : Z := 2 * col p + lev p.

Lemma key_rises : forall p q, below p q -> key p < key q.
Proof.
  intros p q A. pose proof (below_strict _ _ A). destruct A as (_ & A1 & A2). unfold key. lia.
Qed.

(** The cell over p in its own column. *)
Definition over (p : cell) : cell := (col p, lev p + 1).

(** Arithmetic of columns and levels. *)
Ltac cell_lia := unfold over, left_support, right_support, apex, inside, key, col, lev in *; simpl in *; lia.

(** * Why this order *)

(** A step of TOW02: a cell below the one whose left support it is, and one below its own right support. *)
Definition step (p q : cell) : Prop := 2 <= lev q /\ p = left_support q \/ 2 <= lev p /\ q = right_support p.

Lemma step_below : forall p q, step p q -> below p q.
Proof. intros p q [[L ->] | [L ->]]; apply below_intro; cell_lia. Qed.

(** Steps within a set of cells. *)
Definition step_in (S : cell -> Prop) (p q : cell) : Prop := S p /\ S q /\ step p q.

Lemma steps_below : forall S p q, clos_trans _ (step_in S) p q -> S p /\ S q /\ below p q.
Proof.
  intros S p q T. induction T as [p q (A & B & C) | p r q _ (A & B & C) _ (D & E & F)].
  - split; [| split]; trivial. apply step_below, C.
  - split; [| split]; trivial. eapply below_trans; eassumption.
Qed.

Lemma step_over : forall p, 1 <= lev p -> step p (over p).
Proof.
  intros [a b] L. left. split; [cell_lia |]. apply cell_ext; cell_lia.
Qed.

Lemma step_right : forall p, 2 <= lev p -> step p (right_support p).
Proof. intros p L. right. auto. Qed.

(** "If col p + lev p < col q + lev q, the cell over p in its own column still lies in the pyramid and at or
    below q; otherwise (...) the cell at (col p + 1, lev p - 1) exists and lies at or below q." *)
Lemma next_step : forall h l p q, inside h l p -> inside h l q -> below p q ->
  exists r, inside h l r /\ step p r /\ (r = q \/ below r q).
Proof.
  intros h l p q Ip Iq B. pose proof (below_strict _ _ B) as Str. destruct B as (_ & B1 & B2).
  unfold inside in *.
  assert (E : exists r, inside h l r /\ step p r /\ col r <= col q /\ col r + lev r <= col q + lev q).
  { destruct (Z_lt_le_dec (col p + lev p) (col q + lev q)).
    - exists (over p). split; [cell_lia |]. split; [apply step_over; lia | cell_lia].
    - exists (right_support p). split; [cell_lia |]. split; [apply step_right; lia | cell_lia]. }
  destruct E as (r & Ir & Sr & C1 & C2). exists r. split; [| split]; trivial.
  destruct (cell_dec r q); [left | right]; trivial. split; auto.
Qed.

(** "By induction q is reached": the steps of TOW02 within a pyramid generate exactly the order. *)
Theorem below_generated : forall h l p q,
  clos_trans _ (step_in (inside h l)) p q <-> inside h l p /\ inside h l q /\ below p q.
Proof.
  intros h l p q. split; [apply steps_below |].
  intros (Ip & Iq & B). remember (Z.to_nat (key q - key p)) as n eqn:N. revert p Ip B N.
  induction n as [n IH] using lt_wf_ind. intros p Ip B N.
  destruct (next_step h l p q Ip Iq B) as (r & Ir & Sr & [-> | Br]).
  - apply t_step. split; [| split]; trivial.
  - apply t_trans with r; [apply t_step; split; [| split]; trivial |].
    pose proof (key_rises _ _ (step_below _ _ Sr)). pose proof (key_rises _ _ Br).
    eapply IH; [| assumption | assumption | reflexivity]. lia.
Qed.

(** The pyramid without its apex. *)
Definition inside_but_apex (h : nat) (l : Z) (p : cell) : Prop := inside h l p /\ p <> apex h l.

(** "From three levels on none of them needs the apex: from (l, 6) the step down leads to (l + 1, 5), and up
    to (l + 1, 6)." *)
Theorem below_generated_without_apex : forall h l p q, (3 <= h)%nat ->
  clos_trans _ (step_in (inside_but_apex h l)) p q <-> inside_but_apex h l p /\ inside_but_apex h l q /\
    below p q.
Proof.
  intros h l p q H3. split; [apply steps_below |].
  intros (Ip & Iq & B). remember (Z.to_nat (key q - key p)) as n eqn:N. revert p Ip B N.
  induction n as [n IH] using lt_wf_ind. intros p Ip B N.
  destruct (next_step h l p q (proj1 Ip) (proj1 Iq) B) as (r & Ir & Sr & Rq).
  destruct (cell_dec r (apex h l)) as [Ra | Ra].
  - (* the step goes up to the apex: go down to d, then up to u instead *)
    assert (Ep : col p = l /\ lev p = Z.of_nat h - 1).
    { destruct Ip as [Ip _]. subst r. unfold inside in Ip. destruct Sr as [[_ E] | [_ E]].
      - subst p. cell_lia.
      - apply (f_equal lev) in E. cell_lia. }
    assert (Eq : l + 1 <= col q /\ col q + lev q = l + Z.of_nat h).
    { destruct Iq as [Iq Nq]. destruct Rq as [Rq | (_ & R1 & R2)]; [congruence |]. subst r.
      assert (col q <> l) by (intros E; apply Nq, cell_ext; cell_lia). cell_lia. }
    pose (d := (l + 1, Z.of_nat h - 2)). pose (u := (l + 1, Z.of_nat h - 1)).
    assert (Id : inside_but_apex h l d).
    { split; [subst d; cell_lia |]. intros E. apply (f_equal col) in E. subst d. cell_lia. }
    assert (Iu : inside_but_apex h l u).
    { split; [subst u; cell_lia |]. intros E. apply (f_equal col) in E. subst u. cell_lia. }
    assert (S1 : step p d) by (right; split; [| apply cell_ext]; subst d; cell_lia).
    assert (S2 : step d u) by (left; split; [| apply cell_ext]; subst d u; cell_lia).
    apply t_trans with d; [apply t_step; exact (conj Ip (conj Id S1)) |].
    destruct (cell_dec u q) as [<- | Nu]; [apply t_step; exact (conj Id (conj Iu S2)) |].
    apply t_trans with u; [apply t_step; exact (conj Id (conj Iu S2)) |].
    assert (Bu : below u q) by (split; [trivial | subst u; cell_lia]).
    pose proof (key_rises _ _ (step_below _ _ S1)). pose proof (key_rises _ _ (step_below _ _ S2)).
    pose proof (key_rises _ _ Bu). eapply IH; [| assumption | assumption | reflexivity]. lia.
  - assert (Ir' : inside_but_apex h l r) by (split; trivial).
    destruct Rq as [-> | Br].
    + apply t_step. split; [trivial | split; trivial].
    + apply t_trans with r; [apply t_step; split; [trivial | split; trivial] |].
      pose proof (key_rises _ _ (step_below _ _ Sr)). pose proof (key_rises _ _ Br).
      eapply IH; [| assumption | assumption | reflexivity]. lia.
Qed.

(** * Full towers *)

(** TOW02 in a full tower of h levels at l: the number of each cell with supports lies between theirs. *)
Definition straddling (h : nat) (l : Z) (v : cell -> Z) : Prop :=
  forall p, inside h l p -> 2 <= lev p -> v (left_support p) < v p /\ v p < v (right_support p).

(** TOW01 in a full tower: numbers rise from left to right on every level. *)
Definition rising (h : nat) (l : Z) (v : cell -> Z) : Prop :=
  forall p q, inside h l p -> inside h l q -> lev p = lev q -> col p < col q -> v p < v q.

Lemma left_support_inside : forall h l p, inside h l p -> 2 <= lev p -> inside h l (left_support p).
Proof. intros h l p I L. cell_lia. Qed.

Lemma right_support_inside : forall h l p, inside h l p -> 2 <= lev p -> inside h l (right_support p).
Proof. intros h l p I L. cell_lia. Qed.

(** "The orders of TOW02 in a full tower therefore say exactly: p < q implies value(p) < value(q)." *)
Theorem full_tower_order : forall h l v,
  straddling h l v <-> (forall p q, inside h l p -> inside h l q -> below p q -> v p < v q).
Proof.
  intros h l v. split.
  - intros S p q Ip Iq B.
    assert (T : clos_trans _ (step_in (inside h l)) p q) by (apply below_generated; auto).
    clear B. induction T as [p q (A & C & [[L ->] | [L ->]]) | p r q T1 IH1 T2 IH2].
    + exact (proj1 (S q C L)).
    + exact (proj2 (S p A L)).
    + destruct (steps_below _ _ _ T1) as (_ & Ir & _). apply Z.lt_trans with (v r); auto.
  - intros O p I L. split; apply O; auto using left_support_inside, right_support_inside; apply step_below.
    + left. auto.
    + right. auto.
Qed.

(** "Two cells of a level are ordered by this, so TOW01 says nothing more." *)
Theorem full_tower_rows : forall h l v, straddling h l v -> rising h l v.
Proof.
  intros h l v S p q Ip Iq L C. apply (proj1 (full_tower_order h l v) S); trivial.
  apply below_intro; lia.
Qed.

(** * The cells of a pyramid in a list *)

(** "2 col + lev rises along the order, so listing cells by it is a linear extension (...), the lower level
    first where 2 col + lev is equal." *)
Definition earlier (p q : cell) : Prop := key p < key q \/ key p = key q /\ lev p < lev q.

Lemma below_earlier : forall p q, below p q -> earlier p q.
Proof. intros p q B. left. apply key_rises, B. Qed.

Lemma earlier_irrefl : forall p, ~ earlier p p.
Proof. intros p [E | [_ E]]; lia. Qed.

Lemma earlier_trans : forall p q r, earlier p q -> earlier q r -> earlier p r.
Proof. unfold earlier. intros p q r A B. lia. Qed.

(** "Cells with the same number in the list are unordered." *)
Lemma same_key_unordered : forall p q, key p = key q -> ~ below p q /\ ~ below q p.
Proof. intros p q E. split; intros B; apply key_rises in B; lia. Qed.

(** The whole numbers a, a + 1, ..., n of them. *)
Definition range (a : Z) (n : nat) : list Z := map (fun i => a + Z.of_nat i) (seq 0 n).

Lemma in_range : forall a n x, In x (range a n) <-> a <= x < a + Z.of_nat n.
Proof.
  intros a n x. unfold range. rewrite in_map_iff. split.
  - intros (i & <- & I). apply in_seq in I. lia.
  - intros B. exists (Z.to_nat (x - a)). rewrite in_seq. lia.
Qed.

Lemma range_rises : forall a n, StronglySorted Z.lt (range a n).
Proof.
  intros a n. unfold range. generalize 0%nat as s.
  induction n as [| n IH]; intros s; simpl; constructor; trivial.
  apply Forall_forall. intros x I. apply in_map_iff in I. destruct I as (i & <- & I). apply in_seq in I. lia.
Qed.

(** The cells with 2 col + lev = k and their level among the numbers given, inside P(l). *)
Definition diagonal (h : nat) (l k : Z) (levs : list Z) : list cell :=
  flat_map (fun r => let p := ((k - r) / 2, r) in if insideb h l p && (key p =? k) then [p] else []) levs.

(** All cells of P(l), listed along [earlier]. *)
Definition cells (h : nat) (l : Z) : list cell :=
  flat_map (fun k => diagonal h l k (range 1 h)) (range (2 * l + 1) (2 * h)).

Lemma in_diagonal : forall h l k levs p,
  In p (diagonal h l k levs) <-> inside h l p /\ key p = k /\ In (lev p) levs.
Proof.
  intros h l k levs p. unfold diagonal. rewrite in_flat_map. split.
  - intros (r & R & I). destruct (insideb h l _ && _) eqn:E; [| destruct I].
    destruct I as [<- | []]. apply andb_true_iff in E. rewrite insideb_true, Z.eqb_eq in E. tauto.
  - intros (Ip & K & L). exists (lev p). split; trivial.
    replace ((k - lev p) / 2, lev p) with p; cycle 1.
    { apply cell_ext; trivial. unfold key in K. unfold col at 2; simpl. apply Z.div_unique with 0; lia. }
    rewrite (proj2 (insideb_true h l p) Ip), K, Z.eqb_refl. left. reflexivity.
Qed.

Lemma in_cells : forall h l p, In p (cells h l) <-> inside h l p.
Proof.
  intros h l p. unfold cells. rewrite in_flat_map. split.
  - intros (k & _ & I). apply in_diagonal in I. tauto.
  - intros I. exists (key p). rewrite in_diagonal, !in_range. unfold inside, key in *. lia.
Qed.

Lemma sorted_app : forall A (R : A -> A -> Prop) s t,
  StronglySorted R s -> StronglySorted R t -> (forall x y, In x s -> In y t -> R x y) ->
    StronglySorted R (s ++ t).
Proof.
  intros A R s t. induction s as [| x s IH]; simpl; intros S T H; trivial.
  inversion S as [| ? ? S' F]; subst. constructor; auto.
  apply Forall_app. split; trivial. apply Forall_forall. auto.
Qed.

Lemma sorted_nodup : forall A (R : A -> A -> Prop) s,
  (forall x, ~ R x x) -> StronglySorted R s -> NoDup s.
Proof.
  intros A R s Irr S. induction S as [| x s S IH F]; constructor; trivial.
  intros I. rewrite Forall_forall in F. exact (Irr x (F x I)).
Qed.

Lemma diagonal_sorted : forall h l k levs,
  StronglySorted Z.lt levs -> StronglySorted earlier (diagonal h l k levs).
Proof.
  intros h l k levs S. induction S as [| r levs S IH F]; [constructor |].
  replace (diagonal h l k (r :: levs)) with (diagonal h l k [r] ++ diagonal h l k levs)
    by (unfold diagonal; simpl; rewrite app_nil_r; reflexivity).
  apply sorted_app; trivial.
  - unfold diagonal; simpl. destruct (_ && _); repeat constructor.
  - intros p q P Q. apply in_diagonal in P, Q. destruct P as (_ & P1 & [P2 | []]), Q as (_ & Q1 & Q2).
    rewrite Forall_forall in F. specialize (F _ Q2). right. lia.
Qed.

(** The list is a linear extension. *)
Theorem cells_sorted : forall h l, StronglySorted earlier (cells h l).
Proof.
  intros h l. unfold cells. pose proof (range_rises (2 * l + 1) (2 * h)) as S.
  induction S as [| k ks S IH F]; simpl; [constructor |].
  apply sorted_app; trivial; [apply diagonal_sorted, range_rises |].
  intros p q P Q. apply in_diagonal in P. apply in_flat_map in Q. destruct Q as (j & J & Q).
  apply in_diagonal in Q. rewrite Forall_forall in F. specialize (F _ J). left. lia.
Qed.

Theorem cells_nodup : forall h l, NoDup (cells h l).
Proof. intros h l. apply (sorted_nodup _ earlier); [apply earlier_irrefl | apply cells_sorted]. Qed.

(** The printed pyramid at a has 28 cells: a1, a2, b1, a3, ... *)
Example printed_cells : length (cells levels 0) = 28%nat /\
  firstn 4 (cells levels 0) = [(0, 1); (0, 2); (1, 1); (0, 3)].
Proof. vm_compute. auto. Qed.

Example below_example : belowb (0, 1) (3, 2) = true /\ belowb (3, 2) (4, 1) = true /\
  belowb (1, 3) (3, 1) = true
  /\ belowb (1, 3) (2, 1) = false /\ belowb (2, 1) (1, 3) = false.
Proof. vm_compute. auto. Qed.
