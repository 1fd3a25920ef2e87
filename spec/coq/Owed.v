(** Actions D that have to be: table.md, Lemma 2, and the final tower of a continuation that wins. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account.
Import ListNotations.
Open Scope nat_scope.

(** * What a turn does to one cell and to one card *)

(** The cell whose card a turn replaces, and the card that it takes from the Reserve. *)
Definition replaced (t : turn) : option cell :=
  match act t with D _ _ _ _ x (Some _) => Some x | _ => None end.

Definition taken (t : turn) : option card :=
  match act t with D _ _ _ l _ _ => Some (face l) | _ => None end.

Definition laid_at (s : table) (p : cell) : Prop := In p (map fst (laid_cards s)).

Lemma laid_at_in : forall s p, laid_at s p <-> exists k, In (p, k) (laid_cards s).
Proof.
  intros s p. unfold laid_at. rewrite in_map_iff. split.
  - intros ([q k] & E & I). simpl in E. subst q. eauto.
  - intros (k & I). exists (p, k). auto.
Qed.

(** A laid card leaves its cell only by a replacement (TOW06). *)
Lemma does_stays : forall d a d', does d a d' -> forall p k, In (p, k) (tow d) ->
  (match a with D _ _ _ _ x (Some _) => x <> p | _ => True end) ->
  exists k', In (p, k') (tow d') /\ face k' = face k.
Proof.
  intros d a d' H p k I N.
  destruct H; simpl in *; try (exists k; auto; fail).
  - apply in_app_or in I. destruct I as [I | [E | I]].
    + exists k. split; trivial. apply in_or_app. auto.
    + inversion E; subst. exists (Up c). split; trivial. apply in_or_app. simpl. auto.
    + exists k. split; trivial. apply in_or_app. simpl. auto.
  - exists k. split; trivial. apply in_app_or in I. apply in_or_app. simpl.
    destruct I as [I | [Q | I]]; auto. inversion Q; congruence.
Qed.

(** A cell that is laid stays laid. *)
Lemma does_laid : forall d a d', does d a d' -> forall p,
  In p (map fst (tow d)) -> In p (map fst (tow d')).
Proof.
  intros d a d' H p I. destruct H; simpl in *; auto; rewrite map_app in *; exact I.
Qed.

Lemma turn_stays : forall r s t s', played r s t s' -> forall p k, In (p, k) (laid_cards s) ->
  replaced t <> Some p -> exists k', In (p, k') (laid_cards s') /\ face k' = face k.
Proof.
  intros r s t s' [b a h h' R' d _ _ _ _ Do _ _ _ _ W _ _ _ _] p k I N. rewrite W.
  eapply (does_stays _ _ _ Do); [exact I |]. unfold replaced in N.
  destruct (act t) as [| | | ? ? ? ? ? [|] |]; trivial. congruence.
Qed.

Lemma turn_laid : forall r s t s', played r s t s' -> forall p, laid_at s p -> laid_at s' p.
Proof.
  intros r s t s' [b a h h' R' d _ _ _ _ Do _ _ _ _ W _ _ _ _] p I. unfold laid_at. rewrite W.
  exact (does_laid _ _ _ Do p I).
Qed.

Lemma does_replace : forall d u v E l x old d', does d (D u v E l x (Some old)) d' ->
  exists W V, tow d = W ++ (x, old) :: V /\ tow d' = W ++ (x, l) :: V.
Proof. intros d u v E l x old d' H. inversion H; subst. simpl. eauto. Qed.

(** What D lays on the cell of the card that it replaces is the card that it takes. *)
Lemma turn_replaces : forall r s t s' p, played r s t s' -> replaced t = Some p ->
  laid_at s p /\ exists k, In (p, k) (laid_cards s') /\ taken t = Some (face k).
Proof.
  intros r s t s' p [b a h h' R' d _ _ _ _ Do _ _ _ _ W _ _ _ _] E. unfold replaced, taken, laid_at in *.
  rewrite W. destruct (act t) as [| | | u v X l x [old |] |]; try discriminate. inversion E; subst x.
  destruct (does_replace _ _ _ _ _ _ _ _ Do) as (V1 & V2 & E1 & E2). simpl in E1. rewrite E1, E2. split.
  - rewrite map_app. apply in_or_app. simpl. auto.
  - exists l. split; trivial. apply in_or_app. simpl. auto.
Qed.

(** A card leaves the Reserve and the gone cards only by a D that takes it (ACT06). *)
Lemma turn_away : forall r s t s', played r s t s' -> forall c, In c (reserve s ++ gone s) ->
  taken t <> Some c -> In c (reserve s' ++ gone s').
Proof.
  intros r s t s' [b a h h' R' d O _ _ _ Do _ _ T _ W R G _ _] c I N. rewrite R, G.
  assert (J : In c (row d ++ out d)).
  { unfold taken in N. clear R G W O.
      remember (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s)) as d0 eqn:Ed.
      replace (reserve s) with (row d0) in I by (rewrite Ed; trivial).
      replace (gone s) with (out d0) in I by (rewrite Ed; trivial). clear Ed.
      destruct Do; simpl in *; trivial;
      (apply in_app_or in I; apply in_or_app; destruct I as [I | I];
        [left | right; apply in_or_app; auto]);
      match goal with P : Permutation (_ :: _ :: _) (face ?l :: ?R'') |- _ =>
        assert (M : In c (face l :: R'')) by (eapply Permutation_in; [exact P | simpl; auto]);
        destruct M as [M | M]; [congruence | trivial] end. }
  apply in_app_or in J. destruct J as [J | J].
  - apply (Permutation_in _ T) in J. apply in_app_or in J. apply in_or_app. destruct J as [J | J]; auto.
    right. apply in_or_app. auto.
  - apply in_or_app. right. apply in_or_app. right. apply in_or_app. auto.
Qed.

(** * Along a run *)

Lemma run_laid : forall r s ts s', run r s ts s' -> forall p, laid_at s p -> laid_at s' p.
Proof.
  intros r s ts s' R. induction R as [s | s t s1 ts s2 P _ _ IH]; trivial.
  intros p L. apply IH. eapply turn_laid; eauto.
Qed.

(** Where no D replaces its card, a cell keeps it. *)
Lemma run_stays : forall r s ts s', run r s ts s' -> forall p k, In (p, k) (laid_cards s) ->
  (forall t, In t ts -> replaced t <> Some p) -> exists k', In (p, k') (laid_cards s') /\ face k' = face k.
Proof.
  intros r s ts s' R. induction R as [s | s t s1 ts s2 P _ _ IH]; intros p k I N; [eauto |].
  destruct (turn_stays _ _ _ _ P p k I) as (k1 & I1 & E1); [apply N; left; trivial |].
  destruct (IH p k1 I1) as (k2 & I2 & E2); [intros u U; apply N; right; trivial |].
  exists k2. split; trivial. congruence.
Qed.

(** Whether some turn replaces the card of a cell can be told. *)
Lemma replaced_dec : forall ts p,
  (exists t, In t ts /\ replaced t = Some p) \/ (forall t, In t ts -> replaced t <> Some p).
Proof.
  induction ts as [| t ts IH]; intros p; [right; intros ? [] |].
  destruct (IH p) as [(u & U & E) | N]; [left; exists u; simpl; auto |].
  assert (M : {replaced t = Some p} + {replaced t <> Some p}) by (decide equality; apply cell_dec).
  destruct M as [E | M]; [left; exists t; simpl; auto | right].
  intros u [<- | U]; auto.
Qed.

(** "The last D on p, which takes f(p)". *)
Lemma last_D : forall r s ts s' p, run r s ts s' -> (exists t, In t ts /\ replaced t = Some p) ->
  exists i t k, nth_error ts i = Some t /\ replaced t = Some p /\
    In (p, k) (laid_cards s') /\ taken t = Some (face k).
Proof.
  intros r s ts s' p R. induction R as [s | s t s1 ts s2 P _ R IH]; intros (u & U & E); [destruct U |].
  destruct (replaced_dec ts p) as [M | M].
  - destruct (IH M) as (i & t' & k & N & Q). exists (S i), t', k. split; trivial.
  - destruct U as [-> | U]; [| destruct (M u U E)].
    destruct (turn_replaces _ _ _ _ _ P E) as (_ & k & I & T).
    destruct (run_stays _ _ _ _ R p k I M) as (k' & I' & F').
    exists 0, u, k'. rewrite F'. auto.
Qed.

(** "A card leaves the Reserve for the tower only by a D that takes it": the first D that takes x. *)
Lemma takes_x : forall r s ts s' x, run r s ts s' -> In x (reserve s ++ gone s) ->
  ~ In x (reserve s' ++ gone s') -> exists i t, nth_error ts i = Some t /\ taken t = Some x.
Proof.
  intros r s ts s' x R. induction R as [s | s t s1 ts s2 P _ R IH]; intros I N; [destruct (N I) |].
  assert (M : {taken t = Some x} + {taken t <> Some x}) by (decide equality; apply card_dec).
  destruct M as [E | M]; [exists 0, t; auto |].
  destruct (IH (turn_away _ _ _ _ P x I M) N) as (i & u & E & T). exists (S i), u. auto.
Qed.

(** * Counting turns *)

Definition sum {X : Type} (w : X -> nat) (l : list X) : nat := fold_right (fun p n => w p + n) 0 l.

Lemma sum_app : forall X (w : X -> nat) l m, sum w (l ++ m) = sum w l + sum w m.
Proof. intros X w l m. induction l as [| x l IH]; simpl; lia. Qed.

Lemma sum_least : forall X (w v : X -> nat) l, (forall x, In x l -> w x <= v x) -> sum w l <= sum v l.
Proof.
  intros X w v l. induction l as [| x l IH]; simpl; intros H; [lia |].
  assert (w x <= v x) by auto. assert (sum w l <= sum v l) by auto. lia.
Qed.

Lemma sum_within : forall X (w : X -> nat) l m, NoDup l -> incl l m -> sum w l <= sum w m.
Proof.
  intros X w l. induction l as [| x l IH]; simpl; intros m N I; [lia |].
  inversion N as [| ? ? N1 N2]; subst.
  destruct (in_split x m) as (a & b & ->); [apply I; simpl; auto |].
  assert (sum w l <= sum w (a ++ b)) as L.
  { apply IH; trivial. intros y Y. assert (Z : In y (a ++ x :: b)) by (apply I; simpl; auto).
    apply in_app_or in Z. apply in_or_app. destruct Z as [Z | [-> | Z]]; tauto. }
  rewrite sum_app in *. simpl. lia.
Qed.

Definition nth_cost (cost : turn -> nat) (ts : list turn) (i : nat) : nat :=
  match nth_error ts i with Some t => cost t | None => 0 end.

Lemma sum_turns : forall cost ts, sum (nth_cost cost ts) (seq 0 (length ts)) = total cost ts.
Proof.
  intros cost ts. induction ts as [| t ts IH]; simpl; trivial. rewrite <- IH. f_equal.
  rewrite <- seq_shift. generalize (seq 0 (length ts)). induction l as [| i l IH']; simpl; trivial.
  rewrite IH'. trivial.
Qed.

(** Different cells that need different turns need as many turns as they are, each at its cost. *)
Lemma different_turns : forall (ts : list turn) (cost : turn -> nat) (w : cell -> nat) (l : list cell)
    (needs : cell -> nat -> Prop),
  NoDup l ->
  (forall p, In p l -> exists i t, needs p i /\ nth_error ts i = Some t /\ w p <= cost t) ->
  (forall p q i, In p l -> In q l -> needs p i -> needs q i -> p = q) ->
  sum w l <= total cost ts.
Proof.
  intros ts cost w l needs N H D.
  assert (G : exists is, NoDup is /\ (forall i, In i is -> i < length ts /\ exists p, In p l /\ needs p i) /\
    sum w l <= sum (nth_cost cost ts) is).
  { induction l as [| p l IH]; [exists []; simpl; repeat split; [constructor | | | lia]; tauto |].
    inversion N as [| ? ? N1 N2]; subst.
    destruct IH as (is & M & J & L); trivial; [intros q Q; apply H; simpl; auto | |].
    { intros q q' i Q Q'. apply D; simpl; auto. }
    destruct (H p) as (i & t & Ni & E & C); [simpl; auto |].
    exists (i :: is). repeat split.
    - constructor; trivial. intros I. destruct (J i I) as (_ & q & Q & Nq). apply N1.
      rewrite (D p q i); simpl; auto.
    - destruct H0 as [<- | I]; [| apply (J _ I)]. apply nth_error_Some. congruence.
    - destruct H0 as [<- | I]; [exists p; simpl; auto |].
      destruct (J _ I) as (_ & q & Q & Nq). exists q. simpl. auto.
    - simpl. unfold nth_cost at 1. rewrite E. lia. }
  destruct G as (is & M & J & L). rewrite <- sum_turns.
  apply Nat.le_trans with (sum (nth_cost cost ts) is); trivial.
  apply sum_within; trivial. intros i I. apply in_seq. destruct (J i I). lia.
Qed.

(** * Lemma 2 *)

(** A cell owes a D: it is laid and some D replaces its card, or it is empty and ends with a card that now
    lies in the Reserve (or is gone: then nothing wins). *)
Definition owes (s : table) (ts : list turn) (s' : table) (p : cell) : Prop :=
  (laid_at s p /\ exists t, In t ts /\ replaced t = Some p) \/
  (~ laid_at s p /\ exists k, In (p, k) (laid_cards s') /\ In (face k) (reserve s ++ gone s)).

(** The D that a cell owes takes the card that ends there, and replaces the cell's card if it is laid. *)
Definition serves (s : table) (ts : list turn) (s' : table) (p : cell) (i : nat) : Prop :=
  exists t k, nth_error ts i = Some t /\ In (p, k) (laid_cards s') /\ taken t = Some (face k) /\
    (laid_at s p -> replaced t = Some p).

Lemma one_place : forall s c, NoDup (all_cards s) -> In c (faces (laid_cards s)) ->
  ~ In c (reserve s ++ gone s).
Proof.
  intros s c N I J. unfold all_cards in N. fold (faces (laid_cards s)) in N.
  apply NoDup_count_occ' with (decA := card_dec) (x := c) in N.
  - fold (copies (concat (own s) ++ deck s ++ faces (laid_cards s) ++ reserve s ++ gone s) c) in N.
    rewrite !copies_app in N. apply (count_occ_In card_dec) in I, J.
    fold (copies (faces (laid_cards s)) c) in I. fold (copies (reserve s ++ gone s) c) in J.
    rewrite copies_app in J. lia.
  - rewrite !in_app_iff. tauto.
Qed.

Lemma once_app : forall X (l m : list X), NoDup (l ++ m) -> NoDup l /\ NoDup m.
Proof.
  intros X l m. induction l as [| x l IH]; simpl; intros N; [split; [constructor | trivial] |].
  inversion N as [| ? ? N1 N2]; subst. destruct (IH N2) as [L M]. split; trivial.
  constructor; trivial. intros I. apply N1, in_or_app. auto.
Qed.

Lemma faces_one : forall W p q k l, NoDup (faces W) -> In (p, k) W -> In (q, l) W -> face k = face l -> p = q.
Proof.
  unfold faces. intros W p q k l M I J E. induction W as [| e W IH]; simpl in *; [tauto |].
  inversion M as [| ? ? M1 M2]; subst.
  assert (G : forall x y j, In (y, j) W -> face (snd x) = face j -> x = e -> False).
  { intros x y j Y Q ->. apply M1. rewrite Q. apply (in_map (fun e => face (snd e)) W (y, j)). trivial. }
  destruct I as [-> | I], J as [J | J]; auto.
  - congruence.
  - destruct (G (p, k) q l J E eq_refl).
  - subst e. destruct (G (q, l) p k I (eq_sym E) eq_refl).
Qed.

Lemma faces_once : forall s, NoDup (all_cards s) -> NoDup (faces (laid_cards s)).
Proof.
  intros s N. unfold all_cards in N. apply once_app in N. destruct N as [_ N].
  apply once_app in N. destruct N as [_ N]. apply once_app in N. apply N.
Qed.

Lemma one_cell : forall s p q k l, NoDup (all_cards s) ->
  In (p, k) (laid_cards s) -> In (q, l) (laid_cards s) -> face k = face l -> p = q.
Proof. intros s p q k l N. apply faces_one, faces_once, N. Qed.

(** "Then these are actions D": each cell that owes one has one. *)
Theorem owed_D : forall r s ts s' p, run r s ts s' -> NoDup (all_cards s) -> owes s ts s' p ->
  exists i, serves s ts s' p i.
Proof.
  intros r s ts s' p R N [(L & T) | (L & k & I & J)].
  - destruct (last_D r s ts s' p R T) as (i & t & k & E & Q & I & F). exists i, t, k. auto.
  - destruct (takes_x r s ts s' (face k) R J) as (i & t & E & T).
    { apply one_place; [exact (run_once _ _ _ _ R N) |].
      exact (in_map (fun e => face (snd e)) _ (p, k) I). }
    exists i, t, k. repeat split; trivial. tauto.
Qed.

(** "All different": no D serves two cells. *)
Theorem owed_different : forall r s ts s' p q i, run r s ts s' -> NoDup (all_cards s) ->
  serves s ts s' p i -> serves s ts s' q i -> p = q.
Proof.
  intros r s ts s' p q i R N (t & k & E & I & T & _) (t' & k' & E' & I' & T' & _).
  apply (one_cell s' p q k k' (run_once _ _ _ _ R N) I I'). congruence.
Qed.

(** Lemma 2 as it is used: there are no fewer actions D than cells that owe one. *)
Theorem owed : forall r s ts s' l, run r s ts s' -> NoDup (all_cards s) -> NoDup l ->
  (forall p, In p l -> owes s ts s' p) -> length l <= all_D ts.
Proof.
  intros r s ts s' l R N M H.
  assert (E : sum (fun _ : cell => 1) l = length l).
  { clear. induction l; simpl; auto. }
  rewrite <- E. apply different_turns with (needs := serves s ts s'); trivial.
  - intros p P. destruct (owed_D r s ts s' p R N (H p P)) as (i & Sv). exists i.
    pose proof Sv as (t & k & En & _ & T & _). exists t. repeat split; trivial.
    unfold taken in T. destruct (act t); simpl; try discriminate. lia.
  - intros p q i _ _. apply (owed_different r s ts s' p q i R N).
Qed.
