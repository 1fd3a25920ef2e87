(** Fillings and reasons as they stand in certificates, and tests of them: certificate.md, "Reasons" and
    "tower-completable". *)

From Coq Require Import List ZArith Lia Bool Sorted Permutation.
From Couperation Require Import Lists Cells Windows EarliestDeadline Deficiency Tower Filling TowerTheorem
  Unseen Decide Position.
Import ListNotations.
Open Scope Z_scope.

Definition same_numbers : list Z -> list Z -> bool :=
  fix test l m := match l, m with [], [] => true | x :: l, y :: m => (x =? y) && test l m | _, _ => false end.

Lemma same_numbers_true : forall l m, same_numbers l m = true <-> l = m.
Proof.
  induction l as [| x l IH]; intros [| y m]; simpl; split; try congruence; trivial.
  - intros H. apply andb_true_iff in H. rewrite Z.eqb_eq, IH in H. destruct H. congruence.
  - intros E. injection E as -> ->. rewrite Z.eqb_refl. apply IH. reflexivity.
Qed.

(** * Fillings *)

(** What a filling gives to a cell; 0 where that is no number. *)
Definition given (m : list (cell * card)) (p : cell) : Z :=
  match find (fun x => eqb (fst x) p) m with Some (_, Glass v) => v | _ => 0 end.

(** The apex of F stands in a filling where it is not laid. *)
Definition apex_open (T : tower) : bool := finish T && negb (among (apex_of T) (map fst (up T))).

(** "The filling names exactly the cells of its pyramid that hold no up card; the apex in the finish variant
    is F and nothing else is. F is neither gone nor up off the apex. The other values are distinct and
    available. They obey every order. At least as many available values that are not located stay unused as
    there are unseen gone cards." *)
Definition filling_ok (T : tower) (m : list (cell * card)) : bool :=
  distinctb eqb (map fst m) &&
  forallb (fun p => among p (map fst m)) (free T) &&
  (Z.of_nat (length m) =? Z.of_nat (length (free T)) + (if apex_open T then 1 else 0)) &&
  forallb (fun x => if apex_open T && eqb (fst x) (apex_of T) then card_eqb (snd x) Finish
                    else match snd x with Glass v => memb v (available T) | Finish => false end) m &&
  (negb (apex_open T) || among (apex_of T) (map fst m)) &&
  distinctb card_eqb (map snd m) &&
  agreeb belowb (all_bounds T (given m)) &&
  (unseen T <=? count (fun v => negb (memb v (located T)) &&
    negb (memb v (map (given m) (free T)))) (available T))%nat &&
  no_strayb T && negb (finish T && finish_gone T).

Lemma given_in : forall m p c, NoDup (map fst m) -> In (p, c) m ->
  given m p = match c with Glass v => v | Finish => 0 end.
Proof.
  intros m p c N I. unfold given. induction m as [| [q d] m IH]; [destruct I |]. simpl in *.
  inversion N as [| ? ? X N']; subst. destruct (eqb_spec q p) as [-> | D].
  - destruct I as [E | I]; [injection E as ->; reflexivity |]. destruct X. apply (in_map fst) in I. exact I.
  - destruct I as [E | I]; [congruence | auto].
Qed.

Lemma one_cell : forall (m : list (cell * card)) p q c,
  NoDup (map snd m) -> In (p, c) m -> In (q, c) m -> p = q.
Proof.
  intros m p q c D I J. induction m as [| [r d] m IH]; [destruct I |].
  simpl in D. inversion D as [| ? ? X D']; subst. destruct I as [E | I], J as [E' | J].
  - congruence.
  - injection E as -> ->. destruct X. exact (in_map snd m (q, c) J).
  - injection E' as -> ->. destruct X. exact (in_map snd m (p, c) I).
  - auto.
Qed.

Theorem filling_ok_sound : forall T m, valid T -> filling_ok T m = true -> completable T.
Proof.
  intros T m V H. unfold filling_ok in H. rewrite !andb_true_iff in H.
  destruct H as (((((((((A & B) & _) & C) & _) & D) & E) & F) & G) & K).
  apply (distinctb_nodup _ _ eqb_true) in A. apply (distinctb_nodup _ _ card_eqb_true) in D.
  rewrite forallb_forall in B, C. apply (agreeb_true cell below belowb belowb_true) in E.
  apply Nat.leb_le in F. apply no_strayb_true in G.
  apply (completable_iff_filling T V). split; [exact G |].
  split; [destruct (finish T), (finish_gone T); simpl in K; congruence |]. exists (given m).
  (* every free cell is named with an available number *)
  assert (N : forall p, In p (free T) -> exists v, In (p, Glass v) m /\ In v (available T) /\ given m p = v).
  { intros p I. specialize (B p I). apply among_true, in_map_iff in B. destruct B as ([q c] & Q & M). simpl
      in Q. subst q.
    specialize (C _ M). simpl in C.
    assert (O : apex_open T && eqb p (apex_of T) = false).
    { apply in_free in I. destruct I as (_ & _ & I). unfold apex_open. destruct (finish T); trivial.
      destruct (eqb_spec p (apex_of T)); [destruct I; trivial | apply andb_false_r]. }
    rewrite O in C. destruct c as [v |]; [| discriminate]. exists v. split; trivial.
    split; [apply memb_true, C |].
    exact (given_in m p (Glass v) A M). }
  split; [| split; [| split; trivial]].
  - intros p I. destruct (N p I) as (v & _ & M & ->). trivial.
  - intros p q I J X. destruct (N p I) as (v & Mp & _ & Ep), (N q J) as (w & Mq & _ & Eq).
    apply (one_cell m p q (Glass v) D Mp). replace v with w by congruence. exact Mq.
Qed.

(** Every tower that can be completed has a filling that passes. *)
Theorem filling_ok_complete : forall T, valid T -> completable T -> exists m, filling_ok T m = true.
Proof.
  intros T V H. apply (completable_iff_filling T V) in H. destruct H as (NS & NG & f & A & D & O & U).
  set (plain_part := map (fun p => (p, Glass (f p))) (free T)).
  set (apex_part := if apex_open T then [(apex_of T, Finish)] else []).
  exists (plain_part ++ apex_part).
  assert (Fst : map fst plain_part = free T) by (unfold plain_part; rewrite map_map; apply map_id).
  assert (Napex : apex_open T = true -> ~ In (apex_of T) (free T)).
  { intros Op I. unfold apex_open in Op. apply andb_true_iff in Op. apply in_free
      in I. destruct I as (_ & _ & I). tauto. }
  assert (Nfst : NoDup (map fst (plain_part ++ apex_part))).
  { rewrite map_app, Fst. unfold apex_part. destruct (apex_open T) eqn:Op; simpl.
    - apply NoDup_Add with (a := apex_of T) (l := free T); [| split; [apply free_nodup | auto]].
      rewrite <- (app_nil_r (free T)) at 1. apply Add_app.
    - rewrite app_nil_r. apply free_nodup. }
  assert (G : forall p, In p (free T) -> given (plain_part ++ apex_part) p = f p).
  { intros p I. apply (given_in _ p (Glass (f p))); trivial. apply in_or_app. left. apply in_map_iff. eauto. }
  assert (Gb : all_bounds T (given (plain_part ++ apex_part)) = all_bounds T f).
  { unfold all_bounds. f_equal. apply map_ext_in. intros p I. rewrite (G p I). reflexivity. }
  assert (Gm : map (given (plain_part ++ apex_part)) (free T) = map f (free T)) by (apply map_ext_in, G).
  unfold filling_ok. rewrite Gb, Gm, !andb_true_iff, !forallb_forall. repeat split.
  - apply (distinctb_nodup _ _ eqb_true), Nfst.
  - intros p I. apply among_true. rewrite map_app, Fst. apply in_or_app. auto.
  - apply Z.eqb_eq. rewrite app_length. unfold plain_part. rewrite map_length. unfold apex_part.
    destruct (apex_open T); simpl; lia.
  - intros [p c] I. simpl. apply in_app_or in I. destruct I as [I | I].
    + apply in_map_iff in I. destruct I as (q & E & I). injection E as <- <-.
      destruct (apex_open T) eqn:Op; [destruct (eqb_spec q (apex_of T)) as [-> |] |]; simpl.
      * destruct (Napex eq_refl I).
      * apply memb_true; auto.
      * apply memb_true; auto.
    + unfold apex_part in I. destruct (apex_open T); [| destruct I]. destruct I as [E | []].
      injection E as <- <-.
      destruct (eqb_spec (apex_of T) (apex_of T)); [reflexivity | congruence].
  - unfold apex_part. destruct (apex_open T); [simpl | reflexivity]. apply among_true. rewrite map_app.
    apply in_or_app. right. left. reflexivity.
  - apply (distinctb_nodup _ _ card_eqb_true). rewrite map_app. unfold plain_part. rewrite map_map.
    assert (X : NoDup (map (fun x => Glass (f x)) (free T))).
    { apply map_nodup; [apply free_nodup |]. intros p q I J E. injection E as E. auto. }
    unfold apex_part. destruct (apex_open T); simpl; [| rewrite app_nil_r; exact X].
    apply NoDup_Add with (a := Finish) (l := map (fun x => Glass (f x)) (free T)).
    + rewrite <- (app_nil_r (map _ (free T))) at 1. apply Add_app.
    + split; [exact X |]. intros I. apply in_map_iff in I. destruct I as (p & E & _). discriminate.
  - apply (agreeb_true cell below belowb belowb_true), O.
  - apply Nat.leb_le, U.
  - apply no_strayb_true, NS.
  - destruct (finish T), (finish_gone T); simpl; trivial. rewrite NG; trivial.
Qed.

(** * Intervals *)

Record interval := Interval { floor : Z; ceiling : Z; members : list cell; left : list Z }.

(** "The cells are free, distinct, and each has a window inside (a, b). left is exactly the available values v
    with a < v < b, rising. There are more cells than values left." *)
Definition interval_ok (T : tower) (numbers : list Z) (i : interval) : bool :=
  distinctb eqb (members i) &&
  forallb (fun p => among p (free T) && (floor i <=? lo_of T p) && (hi_of T p <=? ceiling i)) (members i) &&
  same_numbers (left i) (filter (fun v => (floor i <? v) && (v <? ceiling i)) numbers) &&
  (Z.of_nat (length (left i)) <? Z.of_nat (length (members i))).

Lemma interval_ok_counts : forall T numbers i, interval_ok T numbers i = true ->
  (length (members i) <= held (lo_of T) (hi_of T) (floor i) (ceiling i) (free T))%nat /\
  length (left i) = room (floor i) (ceiling i) numbers /\ (length (left i) < length (members i))%nat.
Proof.
  intros T numbers i H. unfold interval_ok in H. rewrite !andb_true_iff, forallb_forall, Z.ltb_lt in H.
  destruct H as (((A & B) & C) & D). apply (distinctb_nodup _ _ eqb_true) in A. apply same_numbers_true in C.
  split; [| split; [rewrite C; reflexivity | lia]]. apply NoDup_incl_length; trivial.
  intros p I. specialize (B p I). rewrite !andb_true_iff, among_true in B. apply filter_In.
  rewrite andb_true_iff. tauto.
Qed.

Lemma interval_refutes : forall T i f, valid T -> interval_ok T (available T) i = true -> ~ filling T f.
Proof.
  intros T i f V H F. apply filling_iff_choice in F; trivial. destruct F as (_ & Ch & _).
  destruct (interval_ok_counts T _ i H) as (A & B & C).
  pose proof (necessity _ _ _ _ _ _ (floor i) (ceiling i) (free_nodup T) Ch). lia.
Qed.

(** * Disjoint intervals *)

(** "Once sorted by above, then below, each ends at or before the next begins." *)
Definition first_of (i j : interval) : bool :=
  (floor i <? floor j) || (floor i =? floor j) && (ceiling i <=? ceiling j).

Fixpoint insert (i : interval) (l : list interval) : list interval :=
  match l with [] => [i] | j :: l' => if first_of i j then i :: l else j :: insert i l' end.

Fixpoint sort (l : list interval) : list interval := match l with [] => [] | i :: l => insert i (sort l) end.

Fixpoint chain (l : list interval) : bool :=
  match l with
  | i :: (j :: _) as l' => (floor i <=? floor j) && (ceiling i <=? floor j) && chain l'
  | _ => true
  end.

Lemma insert_permutation : forall i l, Permutation (insert i l) (i :: l).
Proof.
  intros i l. induction l as [| j l IH]; simpl; [apply Permutation_refl |].
  destruct (first_of i j); [apply Permutation_refl |]. rewrite IH. apply perm_swap.
Qed.

Lemma sort_permutation : forall l, Permutation (sort l) l.
Proof. induction l as [| i l IH]; simpl; [constructor |]. rewrite insert_permutation, IH.
apply Permutation_refl. Qed.

Definition span (i : interval) : Z * Z := (floor i, ceiling i).

Lemma chain_apart : forall l, chain l = true -> exists s, apart s (map span l).
Proof.
  intros l H. destruct l as [| i l]; [exists 0; exact Logic.I |]. exists (floor i).
  revert i H. induction l as [| j l IH]; intros i H; [simpl; split; [lia | trivial] |].
  change (chain (i :: j :: l)) with ((floor i <=? floor j) && (ceiling i <=? floor j) && chain (j :: l)) in H.
  rewrite !andb_true_iff, !Z.leb_le in H. destruct H as ((A & B) & C). specialize (IH j C).
  cbn [map span apart] in *. split; [lia |]. destruct IH as [_ IH]. split; [lia | trivial].
Qed.

Lemma total_permutation : forall I (f : I -> Z) l m, Permutation l m -> total f l = total f m.
Proof. intros I f l m H. induction H; simpl; lia. Qed.

Lemma total_map : forall I J (f : J -> Z) (g : I -> J) l, total f (map g l) = total (fun i => f (g i)) l.
Proof. intros I J f g l. induction l as [| i l IH]; simpl; congruence. Qed.

(** Cells less values left. *)
Definition lacks (i : interval) : Z := Z.of_nat (length (members i)) - Z.of_nat (length (left i)).

(** "With s the sum over the intervals of cells less left, and e the available values that are not located
    less the unseen gone cards, m = s - e and m > 0." *)
Definition gone_ok (T : tower) (l : list interval) (missing : Z) : bool :=
  forallb (interval_ok T (known T)) l && chain (sort l) && (missing =? total lacks l - spare T) &&
    (0 <? missing).

Lemma gone_ok_refutes : forall T l missing f, valid T -> gone_ok T l missing = true -> ~ filling T f.
Proof.
  intros T l missing f V H F. apply filling_iff_choice in F; trivial. destruct F as (_ & Ch & _ & Le).
  unfold gone_ok in H. rewrite !andb_true_iff, forallb_forall, Z.eqb_eq, Z.ltb_lt in H.
  destruct H as (((A & B) & C) & D). destruct (chain_apart _ B) as (s & Ap).
  pose proof (gone_refutes T f _ s Ch Le Ap) as X. rewrite total_map in X.
  rewrite (total_permutation _ _ _ _ (sort_permutation l)) in X.
  assert (Y : total lacks l <= total (fun i => lacking T (span i)) l); [| lia].
  apply total_le. intros i I. destruct (interval_ok_counts T _ i (A i I)) as (E1 & E2 & _).
  unfold lacks, lacking, lack, span. cbn [fst snd]. lia.
Qed.

(** * Reasons *)

Inductive reason :=
  | ByInterval (i : interval)
  | ByOrder (p q : cell)
  | ByGone (l : list interval) (missing : Z)
  | FinishGone
  | BelowApex (c : cell).

(** "p is below q, both are fixed (or one is the Finish card's apex), and their values do not agree." *)
Definition order_ok (T : tower) (p q : cell) : bool :=
  belowb p q && existsb (fun b => eqb (at_cell b) p &&
    existsb (fun c => eqb (at_cell c) q && (under c <=? over b)) (bounds T)) (bounds T).

Lemma order_refutes : forall T p q f, valid T -> order_ok T p q = true -> ~ filling T f.
Proof.
  intros T p q f V H F. apply filling_iff_choice in F; trivial. destruct F as (A & _).
  unfold order_ok in H. apply andb_true_iff in H. destruct H as [B H]. apply belowb_true in B.
  apply existsb_exists in H. destruct H as (b & Ib & H). apply andb_true_iff in H. destruct H as [Eb H].
  apply existsb_exists in H. destruct H as (c & Ic & H). apply andb_true_iff in H. destruct H as [Ec H].
  apply eqb_true in Eb, Ec. subst. apply Z.leb_le in H. specialize (A b c Ib Ic B). lia.
Qed.

(** Whether a reason holds of a tower. [astray] is the cell of a Finish card that lies up off the apex, where
    it stays. *)
Definition reason_ok (T : tower) (astray : option cell) (r : reason) : bool :=
  match r with
  | ByInterval i => interval_ok T (available T) i
  | ByOrder p q => order_ok T p q
  | ByGone l missing => gone_ok T l missing
  | FinishGone => finish T && finish_gone T
  | BelowApex c => match astray with Some d => eqb c d | None => false end
  end.

(** A reason refutes, if F lies where it is said to be. *)
Theorem reason_ok_sound : forall T astray r, valid T -> (forall c, astray = Some c -> stray T c) ->
  reason_ok T astray r = true -> ~ completable T.
Proof.
  intros T astray r V St H C. apply (completable_iff_filling T V) in C. destruct C as (NS & NG & f & F).
  destruct r as [i | p q | l missing | | c]; simpl in H.
  - exact (interval_refutes T i f V H F).
  - exact (order_refutes T p q f V H F).
  - exact (gone_ok_refutes T l missing f V H F).
  - destruct (finish T); [| discriminate]. rewrite NG in H; [discriminate | trivial].
  - destruct astray as [d |]; [| discriminate]. exact (NS d (St d eq_refl)).
Qed.
