(** The least price of a final tower: table.md, "How c is found".

    Numbers are dealt to the cells of a pyramid from 1 upward.  The cells that have one are an order ideal;
    it is told by how high each column is filled. *)

From Coq Require Import List Lia Bool Arith.
Import ListNotations.

Section Least.

  (** The columns from left to right, each with its number of cells; the greatest number; the price of a
      number on the cell of a column and a level, where it has one; and the most that a tower may cost. *)
  Variable tops : list nat.
  Variable greatest : nat.
  Variable cost : nat -> nat -> nat -> option nat.
  Variable cap : nat.

  (** An ideal with the least price found for it. *)
  Definition entry : Type := (list nat * nat)%type.

  Fixpoint same (I J : list nat) : bool :=
    match I, J with
    | [], [] => true
    | i :: I', j :: J' => (i =? j) && same I' J'
    | _, _ => false
    end.

  Fixpoint set_nth (c x : nat) (I : list nat) : list nat :=
    match I, c with
    | [], _ => []
    | _ :: I', 0 => x :: I'
    | i :: I', S d => i :: set_nth d x I'
    end.

  (** The next cell of column c may have a number when the cell next below it in the column on its left
      has one: that is the next but one cell of that column, or its top. *)
  Definition ready (I : list nat) (c : nat) : bool :=
    (nth c I 0 <? nth c tops 0) &&
    match c with
    | 0 => true
    | S b => Nat.min (nth c I 0 + 2) (nth b tops 0) <=? nth b I 0
    end.

  (** The ideals that v makes of one, v on a maximal cell. *)
  Definition grow (v : nat) (e : entry) : list entry :=
    flat_map (fun c =>
      if ready (fst e) c then
        match cost c (S (nth c (fst e) 0)) v with
        | Some k => [(set_nth c (S (nth c (fst e) 0)) (fst e), snd e + k)]
        | None => []
        end
      else []) (seq 0 (length tops)).

  Fixpoint add (e : entry) (t : list entry) : list entry :=
    match t with
    | [] => [e]
    | d :: t => if same (fst e) (fst d) then (fst d, Nat.min (snd e) (snd d)) :: t else d :: add e t
    end.

  (** "Towers dearer than spare need not be followed." *)
  Definition add_within (e : entry) (t : list entry) : list entry :=
    if snd e <=? cap then add e t else t.

  Definition next_number (v : nat) (t : list entry) : list entry :=
    fold_right add_within t (flat_map (grow v) t).

  Fixpoint deal (v : nat) : list entry :=
    match v with
    | 0 => [(map (fun _ => 0) tops, 0)]
    | S u => next_number v (deal u)
    end.

  (** Whether some final tower is found within the cap. *)
  Definition affordable : bool := existsb (fun e => same (fst e) tops && (snd e <=? cap)) (deal greatest).

  (** * It misses no tower *)

  Lemma same_true : forall I J, same I J = true <-> I = J.
  Proof.
    induction I as [| i I IH]; intros [| j J]; simpl; try (split; congruence).
    rewrite andb_true_iff, Nat.eqb_eq, IH. split; [intros [-> ->] | intros E; inversion E]; auto.
  Qed.

  Lemma nth_set : forall I c x d, c < length I -> nth d (set_nth c x I) 0 = if d =? c then x else nth d I 0.
  Proof.
    induction I as [| i I IH]; simpl; intros c x d L; [lia |].
    destruct c as [| c], d as [| d]; simpl; trivial. apply IH. lia.
  Qed.

  Lemma length_set : forall I c x, length (set_nth c x I) = length I.
  Proof. induction I as [| i I IH]; intros [| c] x; simpl; auto. Qed.

  (** The table knows a price of at most x for the ideal I. *)
  Definition knows (t : list entry) (I : list nat) (x : nat) : Prop := exists y, In (I, y) t /\ y <= x.

  Lemma add_knows : forall e t I x, knows t I x -> knows (add e t) I x.
  Proof.
    intros e t I x. induction t as [| [J z] t IH]; simpl; intros (y & In1 & L); [destruct In1 |].
    destruct (same (fst e) J) eqn:E; destruct In1 as [In1 | In1].
    - inversion In1; subst. exists (Nat.min (snd e) y). simpl. split; [auto | lia].
    - exists y. simpl. auto.
    - exists y. simpl. auto.
    - destruct IH as (w & Iw & Lw); [exists y; auto |]. exists w. simpl. auto.
  Qed.

  Lemma add_new : forall e t, knows (add e t) (fst e) (snd e).
  Proof.
    intros [I x] t. induction t as [| [J z] t IH]; simpl.
    - exists x. simpl. auto.
    - destruct (same I J) eqn:E.
      + apply same_true in E. subst J. exists (Nat.min x z). simpl. split; [auto | lia].
      + destruct IH as (y & Iy & L). exists y. simpl. auto.
  Qed.

  Lemma next_knows : forall v t I x, knows t I x -> knows (next_number v t) I x.
  Proof.
    intros v t I x K. unfold next_number. induction (flat_map (grow v) t) as [| e l IH]; simpl; trivial.
    unfold add_within. destruct (snd e <=? cap); trivial. apply add_knows. trivial.
  Qed.

  Lemma next_new : forall v t e, In e (flat_map (grow v) t) -> snd e <= cap ->
    knows (next_number v t) (fst e) (snd e).
  Proof.
    intros v t e I L. unfold next_number.
    induction (flat_map (grow v) t) as [| d l IH]; simpl in *; [tauto |].
    unfold add_within at 1. destruct I as [-> | I].
    - rewrite (proj2 (Nat.leb_le _ _) L). apply add_new.
    - destruct (snd d <=? cap); auto. apply add_knows. auto.
  Qed.

  (** A final tower: f gives each cell, by column and level, its number; w is what it costs there. *)
  Variable f : nat -> nat -> nat.
  Variable w : nat -> nat -> nat.

  Definition on_board (c r : nat) : Prop := c < length tops /\ 1 <= r <= nth c tops 0.

  Hypothesis numbers : forall c r, on_board c r -> 1 <= f c r <= greatest.
  Hypothesis once : forall c r d s, on_board c r -> on_board d s -> f c r = f d s -> c = d /\ r = s.
  Hypothesis columns_rise : forall c r, on_board c r -> on_board c (S r) -> f c r < f c (S r).
  Hypothesis left_below : forall c r, on_board (S c) r -> on_board c (Nat.min (S r) (nth c tops 0)) ->
    f c (Nat.min (S r) (nth c tops 0)) < f (S c) r.
  Hypothesis tops_fall : forall c r, on_board (S c) r -> 1 <= nth c tops 0.
  Hypothesis costs : forall c r, on_board c r -> cost c r (f c r) = Some (w c r).

  (** What the cells of an ideal cost. *)
  Definition column_price (c h : nat) : nat := fold_right (fun r n => w c r + n) 0 (seq 1 h).

  Definition ideal_price (I : list nat) : nat :=
    fold_right (fun c n => column_price c (nth c I 0) + n) 0 (seq 0 (length tops)).

  Hypothesis within : ideal_price tops <= cap.

  Lemma column_price_S : forall c h, column_price c (S h) = column_price c h + w c (S h).
  Proof.
    intros c h. unfold column_price. rewrite seq_S, fold_right_app. simpl.
    generalize (seq 1 h). induction l as [| r l IH]; simpl; lia.
  Qed.

  Lemma column_price_more : forall c h k, h <= k -> column_price c h <= column_price c k.
  Proof. intros c h k L. induction L as [| k L IH]; trivial. rewrite column_price_S. lia. Qed.

  (** The ideal of the numbers up to v. *)
  Definition ideal_at (v : nat) (I : list nat) : Prop :=
    length I = length tops /\
    (forall c, nth c I 0 <= nth c tops 0) /\
    (forall c r, on_board c r -> (r <= nth c I 0 <-> f c r <= v)).

  Lemma column_order : forall c r s, on_board c r -> on_board c s -> r < s -> f c r < f c s.
  Proof.
    intros c r s R Sb L. induction L as [| s L IH]; [apply columns_rise; trivial |].
    assert (on_board c s) by (destruct R, Sb; split; lia).
    pose proof (columns_rise c s H Sb). specialize (IH H). lia.
  Qed.

  (** The whole tower's ideal has every cell. *)
  Lemma ideal_full : forall I, ideal_at greatest I -> I = tops.
  Proof.
    intros I (L & T & E). apply nth_ext with (d := 0) (d' := 0); trivial.
    intros c C. specialize (T c). destruct (Nat.eq_dec (nth c tops 0) 0) as [Z | Z]; [lia |].
    assert (B : on_board c (nth c tops 0)) by (split; lia).
    pose proof (proj2 (E _ _ B)). pose proof (numbers _ _ B). lia.
  Qed.

  Lemma sum_set : forall I c x l, c < length I -> NoDup l ->
    fold_right (fun d n => column_price d (nth d (set_nth c x I) 0) + n) 0 l +
      (if in_dec Nat.eq_dec c l then column_price c (nth c I 0) else 0) =
    fold_right (fun d n => column_price d (nth d I 0) + n) 0 l +
      (if in_dec Nat.eq_dec c l then column_price c x else 0).
  Proof.
    intros I c x l C N. induction N as [| d l D N IH]; [simpl; trivial |].
    cbn [fold_right]. rewrite (nth_set I c x d C). destruct (Nat.eqb_spec d c) as [-> | Nd].
    - destruct (in_dec Nat.eq_dec c l) as [B | B]; [tauto |].
      destruct (in_dec Nat.eq_dec c (c :: l)) as [B' | B']; [lia | simpl in B'; tauto].
    - destruct (in_dec Nat.eq_dec c l) as [B | B], (in_dec Nat.eq_dec c (d :: l)) as [B' | B'];
        simpl in B'; try lia; exfalso; intuition congruence.
  Qed.

  Lemma ideal_price_set : forall I c, c < length tops -> length I = length tops ->
    ideal_price (set_nth c (S (nth c I 0)) I) = ideal_price I + w c (S (nth c I 0)).
  Proof.
    intros I c C L. unfold ideal_price.
    pose proof (sum_set I c (S (nth c I 0)) (seq 0 (length tops)) ltac:(lia) (seq_NoDup _ _)) as E.
    destruct (in_dec Nat.eq_dec c (seq 0 (length tops))) as [B | B].
    - rewrite column_price_S in E. lia.
    - exfalso. apply B, in_seq. lia.
  Qed.

  Lemma ideal_price_within : forall I, (forall c, nth c I 0 <= nth c tops 0) -> ideal_price I <= cap.
  Proof.
    intros I T. apply Nat.le_trans with (ideal_price tops); trivial. unfold ideal_price.
    induction (seq 0 (length tops)) as [| c l IH]; simpl; trivial.
    pose proof (column_price_more c _ _ (T c)). lia.
  Qed.

  (** Whether some cell has the number v. *)
  Lemma cell_dec_of : forall v,
    (exists c r, on_board c r /\ f c r = v) \/ (forall c r, on_board c r -> f c r <> v).
  Proof.
    intros v. assert (G : forall n m,
      (exists c r, c < n /\ on_board c r /\ r <= m /\ f c r = v) \/
      (forall c r, c < n -> r <= m -> on_board c r -> f c r <> v)).
    { intros n m. induction n as [| n IH]; [right; lia |].
      destruct IH as [(c & r & C & B & R & E) | Nn]; [left; exists c, r; auto |].
      assert (G : (exists r, on_board n r /\ r <= m /\ f n r = v) \/
        (forall r, r <= m -> on_board n r -> f n r <> v)).
      { induction m as [| m IHm].
        - right. intros r L [_ B]. lia.
        - destruct IHm as [(r & B & L & E) | Nm].
          + intros c r C L. apply Nn; lia.
          + left. exists r. auto.
          + destruct (le_dec (S m) (nth n tops 0)) as [Lm | Lm], (lt_dec n (length tops)) as [Ln | Ln],
              (Nat.eq_dec (f n (S m)) v) as [E | E];
              try (right; intros r L B; destruct (Nat.eq_dec r (S m)) as [-> | Nr];
                [trivial; destruct B; lia | apply Nm; trivial; lia]; fail).
            left. exists (S m). repeat split; trivial; lia. }
      destruct G as [(r & B & L & E) | G]; [left; exists n, r; auto |].
      right. intros c r C L B. destruct (Nat.eq_dec c n) as [-> | Nc]; [auto | apply Nn; trivial; lia]. }
    destruct (G (length tops) (list_max tops)) as [(c & r & _ & B & _ & E) | Nn]; [left; eauto |].
    right. intros c r B. apply Nn; trivial; [apply B |]. destruct B as [C [_ R]].
    apply Nat.le_trans with (nth c tops 0); trivial.
    assert (F : Forall (fun k => k <= list_max tops) tops) by (apply list_max_le; trivial).
    rewrite Forall_forall in F. apply F, nth_In, C.
  Qed.

  Lemma deal_knows : forall v, exists I, ideal_at v I /\ knows (deal v) I (ideal_price I).
  Proof.
    induction v as [| v IH].
    - exists (map (fun _ => 0) tops). assert (Z : forall c, nth c (map (fun _ : nat => 0) tops) 0 = 0).
      { intros c. generalize tops. induction c as [| c IH]; intros [| t l]; simpl; auto. }
      split; [split; [apply map_length |]; split |].
      + intros c. rewrite Z. lia.
      + intros c r B. rewrite Z. pose proof (numbers c r B). destruct B. lia.
      + exists 0. simpl. split; [auto | lia].
    - destruct IH as (I & (L & T & E) & y & Iy & Ly). simpl deal.
      destruct (cell_dec_of (S v)) as [(c & r & B & Fv) | Nn].
      + assert (R : r = S (nth c I 0)).
        { destruct (le_lt_dec r (nth c I 0)) as [Le | Gt]; [apply E in Le; trivial; lia |].
          destruct (Nat.eq_dec r 1) as [-> | N1]; [lia |].
          destruct (Nat.eq_dec (S (nth c I 0)) r) as [| Ns]; [auto |].
          assert (B' : on_board c (r - 1)) by (destruct B; split; lia).
          pose proof (column_order c (r - 1) r B' B ltac:(lia)) as Lt.
          pose proof (proj2 (E c (r - 1) B')). lia. }
        assert (Rd : ready I c = true).
        { unfold ready. apply andb_true_iff. split; [apply Nat.ltb_lt; destruct B; lia |].
          destruct c as [| c]; trivial. apply Nat.leb_le.
          pose proof (tops_fall c r B) as Tf.
          assert (B' : on_board c (Nat.min (S r) (nth c tops 0))).
          { destruct B as [B1 B2]. split; lia. }
          replace (nth (S c) I 0 + 2) with (S r) by lia.
          apply E; trivial. pose proof (left_below c r B B'). lia. }
        exists (set_nth c r I). split; [split; [rewrite length_set; trivial |]; split |].
        * intros d. destruct B as [B1 B2]. rewrite nth_set by lia.
          destruct (Nat.eqb_spec d c) as [-> |]; auto. lia.
        * intros d s Bs. rewrite nth_set by (destruct B; lia). destruct (Nat.eqb_spec d c) as [-> | Nd].
          -- split; intros Q.
             ++ destruct (Nat.eq_dec s r) as [-> | Ns]; [lia |].
                pose proof (column_order c s r Bs B ltac:(lia)). lia.
             ++ destruct (le_lt_dec s r) as [| Gt]; trivial.
                pose proof (column_order c r s B Bs ltac:(lia)). lia.
          -- rewrite (E d s Bs). split; [lia |]. intros Q.
             destruct (Nat.eq_dec (f d s) (S v)) as [Q' | Q']; [| lia].
             destruct (once d s c r Bs B) as [Z _]; [congruence | tauto].
        * pose proof (ideal_price_set I c (proj1 B) L) as Pr. rewrite <- R in Pr. rewrite Pr.
          assert (W : ideal_price I + w c r <= cap).
          { rewrite <- Pr. apply ideal_price_within. intros d. destruct B as [B1 B2].
            rewrite nth_set by lia. destruct (Nat.eqb_spec d c) as [-> |]; auto. lia. }
          destruct (next_new (S v) (deal v) (set_nth c r I, y + w c r)) as (z & Iz & Lz).
          -- apply in_flat_map. exists (I, y). split; trivial. unfold grow. apply in_flat_map.
             exists c. split; [apply in_seq; destruct B; lia |]. simpl.
             rewrite Rd, <- R. replace (cost c r (S v)) with (Some (w c r)); [simpl; auto |].
             rewrite <- Fv. symmetry. apply costs. trivial.
          -- simpl. lia.
          -- exists z. simpl in *. split; [trivial | lia].
      + exists I. split; [split; [trivial |]; split; trivial |].
        * intros c r B. rewrite (E c r B). specialize (Nn c r B). lia.
        * apply next_knows. exists y. auto.
  Qed.

  (** If a final tower costs no more than the cap, one is found. *)
  Theorem affordable_complete : affordable = true.
  Proof.
    destruct (deal_knows greatest) as (I & E & y & Iy & Ly). pose proof (ideal_full I E). subst I.
    unfold affordable. apply existsb_exists. exists (tops, y). split; trivial. simpl.
    apply andb_true_iff. split; [apply same_true; trivial | apply Nat.leb_le; lia].
  Qed.

End Least.

(** "The order of seven levels has 128 ideals." *)
Definition staircase : list nat := [7; 6; 5; 4; 3; 2; 1].

Example ideals_128 : length (deal staircase (fun _ _ _ => Some 0) 0 28) = 128.
Proof. vm_compute. reflexivity. Qed.

(** With the numbers 1 to 28 alone the left bottom cell has the 1. *)
Example corner_1 : affordable staircase 28 (fun c r v => if (c + r =? 1) && (v =? 2) then Some 0 else
  if (c + r =? 1) then Some 1 else Some 0) 0 = false.
Proof. vm_compute. reflexivity. Qed.
