(** Down cards stand for numbers: clauses/tower.md, TOW07.

    A tower with down cards is in order when the down cards can be given numbers, all at the same time,
    with which every order holds.  This file decides that for any finite set of cells, listed along a
    linear extension of the orders that are asked: a choice of numbers exists exactly when no way from
    one bound to another asks for a greater difference than the bounds leave. *)

From Coq Require Import List ZArith Lia Bool.
Import ListNotations.
Open Scope Z_scope.

Section Numbers.

  Variable V : Type.
  Variable V_dec : forall p q : V, {p = q} + {p <> q}.

  (** The cells, along a linear extension. *)
  Variable cells : list V.

  (** [asks p q] is [Some 1] where the number of p has to be below that of q, [Some 0] where it must not
      be above it, and [None] where no order from p to q is asked. *)
  Variable asks : V -> V -> option Z.

  (** The bounds of a cell.  An up card has its number for both; a down card has none under
      [facedown=integers], and 1 and 50 under [deck] and [repeats]. *)
  Variable lo hi : V -> option Z.

  Hypothesis cells_once : NoDup cells.
  Hypothesis asks_one : forall p q k, asks p q = Some k -> 0 <= k <= 1.
  Hypothesis forward : forall pre p post, cells = pre ++ p :: post ->
    forall q, In q (p :: post) -> asks q p = None.

  (** A choice of numbers that keeps all orders and all bounds. *)
  Definition keeps_orders (h : V -> Z) : Prop :=
    forall p q k, In p cells -> In q cells -> asks p q = Some k -> h p + k <= h q.

  Definition keeps_bounds (h : V -> Z) : Prop :=
    forall p, In p cells ->
      (forall a, lo p = Some a -> a <= h p) /\ (forall b, hi p = Some b -> h p <= b).

  Definition solves (h : V -> Z) : Prop := keeps_orders h /\ keeps_bounds h.

  (** A way from p to q along orders that are asked, with what they ask for together. *)
  Inductive way (p : V) : V -> Z -> Prop :=
  | way_here : In p cells -> way p p 0
  | way_on : forall q r w k, way p q w -> In r cells -> asks q r = Some k -> way p r (w + k).

  (** A way is too long when it asks for more than the bounds at its ends leave. *)
  Definition too_long (p q : V) (w : Z) : Prop :=
    way p q w /\ exists a b, lo p = Some a /\ hi q = Some b /\ b < a + w.

  Lemma way_ends : forall p q w, way p q w -> In p cells /\ In q cells.
  Proof. intros p q w H. induction H; tauto. Qed.

  (** Along a way the numbers of a choice rise by what it asks for. *)
  Lemma way_rises : forall h p q w, keeps_orders h -> way p q w -> h p + w <= h q.
  Proof.
    intros h p q w K H. induction H as [| q r w k H IH R A]; [lia |].
    pose proof (K q r k (proj2 (way_ends _ _ _ H)) R A). lia.
  Qed.

  (** So where a way is too long, no choice exists. *)
  Lemma too_long_refutes : forall h p q w, solves h -> too_long p q w -> False.
  Proof.
    intros h p q w [O B] (H & a & b & A & C & L).
    destruct (way_ends _ _ _ H) as [P Q].
    pose proof (way_rises _ _ _ _ O H).
    pose proof (proj1 (B p P) a A). pose proof (proj2 (B q Q) b C). lia.
  Qed.

  (** ** One pass *)

  (** Each cell, in turn, is given the least number that the cells before it, its lower bound and a low
      base allow. *)
  Definition from_lo (base : Z) (q : V) : Z :=
    match lo q with Some a => Z.max base a | None => base end.

  Definition least (base : Z) (given : list (V * Z)) (q : V) : Z :=
    fold_right (fun e m => match asks (fst e) q with Some k => Z.max (snd e + k) m | None => m end)
      (from_lo base q) given.

  Fixpoint pass (base : Z) (given : list (V * Z)) (rest : list V) : list (V * Z) :=
    match rest with
    | [] => given
    | q :: rest => pass base ((q, least base given q) :: given) rest
    end.

  (** The base is so low that no way from it reaches an upper bound. *)
  Definition least_hi : Z :=
    fold_right (fun v m => match hi v with Some b => Z.min b m | None => m end) 0 cells.

  Definition low : Z := least_hi - Z.of_nat (length cells).

  Definition within (e : V * Z) : bool :=
    match hi (fst e) with Some b => snd e <=? b | None => true end.

  (** The check: the numbers of the pass keep the upper bounds. *)
  Definition can_stand : bool := forallb within (pass low [] cells).

  (** *** What the pass gives *)

  Lemma least_above : forall base given q p x k,
    In (p, x) given -> asks p q = Some k -> x + k <= least base given q.
  Proof.
    intros base given q p x k. induction given as [| [r y] given IH]; simpl; [tauto |].
    intros [E | I] A.
    - inversion E; subst. rewrite A. lia.
    - specialize (IH I A). destruct (asks r q); lia.
  Qed.

  Lemma least_above_lo : forall base given q, from_lo base q <= least base given q.
  Proof.
    intros base given q. induction given as [| [r y] given IH]; simpl; [lia |].
    destruct (asks r q); lia.
  Qed.

  (** The least number comes from an order or from the bound. *)
  Lemma least_from : forall base given q,
    least base given q = from_lo base q \/
    exists p x k, In (p, x) given /\ asks p q = Some k /\ least base given q = x + k.
  Proof.
    intros base given q. induction given as [| [r y] given IH]; simpl; [auto |].
    destruct (asks r q) as [k |] eqn:A.
    - destruct (Z.max_spec (y + k) (least base given q)) as [[_ ->] | [_ ->]].
      + destruct IH as [IH | (p & x & j & I & B & E)]; [auto |]. right. exists p, x, j. auto.
      + right. exists r, y, k. auto.
    - destruct IH as [IH | (p & x & j & I & B & E)]; [auto |]. right. exists p, x, j. auto.
  Qed.

  (** Where a number of the pass comes from: a lower bound and a way, or the base and not many orders. *)
  Definition traced (base : Z) (n : nat) (q : V) (x : Z) : Prop :=
    (exists p a w, way p q w /\ lo p = Some a /\ x = a + w) \/ x < base + Z.of_nat n.

  Lemma least_traced : forall base given q, In q cells ->
    (forall p x, In (p, x) given -> traced base (length given) p x) ->
    traced base (S (length given)) q (least base given q).
  Proof.
    intros base given q Q T. destruct (least_from base given q) as [E | (p & x & k & I & A & E)].
    - rewrite E. unfold from_lo. destruct (lo q) as [a |] eqn:L; [| right; lia].
      destruct (Z.max_spec base a) as [[_ ->] | [_ ->]]; [left | right; lia].
      exists q, a, 0. repeat split; [apply way_here | |]; trivial. lia.
    - rewrite E. pose proof (asks_one _ _ _ A). destruct (T p x I) as [(r & a & w & Wy & L & ->) | L].
      + left. exists r, a, (w + k). repeat split; trivial; [| lia]. eapply way_on; eauto.
      + right. lia.
  Qed.

  Lemma traced_more : forall base n m q x, (n <= m)%nat -> traced base n q x -> traced base m q x.
  Proof. intros base n m q x L [T | T]; [left; trivial | right; lia]. Qed.

  Lemma pass_traced : forall base rest given,
    incl rest cells -> (forall p x, In (p, x) given -> traced base (length given) p x) ->
    forall p x, In (p, x) (pass base given rest) -> traced base (length given + length rest) p x.
  Proof.
    intros base rest. induction rest as [| q rest IH]; simpl; intros given I T p x P.
    - apply traced_more with (length given); [lia |]. auto.
    - replace (length given + S (length rest))%nat
        with (length ((q, least base given q) :: given) + length rest)%nat by (simpl; lia).
      apply IH; trivial.
      + intros r R. apply I. right. trivial.
      + intros r y [E | R]; simpl.
        * inversion E; subst. apply least_traced; trivial. apply I. left. trivial.
        * apply traced_more with (length given); [lia |]. auto.
  Qed.

  (** The pass keeps what it has given. *)
  Lemma pass_given : forall base rest given e, In e given -> In e (pass base given rest).
  Proof.
    intros base rest. induction rest as [| q rest IH]; simpl; intros given e I; trivial.
    apply IH. right. trivial.
  Qed.

  Lemma pass_cells : forall base rest given,
    map fst (pass base given rest) = rev rest ++ map fst given.
  Proof.
    intros base rest. induction rest as [| q rest IH]; simpl; intros given; trivial.
    rewrite IH. simpl. rewrite <- app_assoc. trivial.
  Qed.

  (** Each cell has the least number over the cells before it. *)
  Lemma pass_least : forall base rest given q,
    In q rest -> exists before after, rest = before ++ q :: after /\
      In (q, least base (pass base given before) q) (pass base given rest).
  Proof.
    intros base rest. induction rest as [| r rest IH]; simpl; intros given q; [tauto |].
    intros [-> | Q].
    - exists [], rest. split; trivial. apply pass_given. left. trivial.
    - destruct (IH ((r, least base given r) :: given) q Q) as (b & a & -> & I).
      exists (r :: b), a. split; trivial.
  Qed.

  (** *** The numbers as a map *)

  Fixpoint number_of (given : list (V * Z)) (q : V) : Z :=
    match given with
    | [] => 0
    | (p, x) :: given => if V_dec p q then x else number_of given q
    end.

  Lemma number_of_in : forall given q x,
    NoDup (map fst given) -> In (q, x) given -> number_of given q = x.
  Proof.
    induction given as [| [p y] given IH]; simpl; intros q x N I; [tauto |].
    inversion N as [| ? ? N1 N2]; subst. destruct I as [E | I].
    - inversion E; subst. destruct (V_dec q q); congruence.
    - destruct (V_dec p q) as [-> |]; [| auto].
      exfalso. apply N1. change q with (fst (q, x)). apply in_map. trivial.
  Qed.

  Definition numbers (base : Z) : V -> Z := number_of (pass base [] cells).

  Lemma pass_once : forall base, NoDup (map fst (pass base [] cells)).
  Proof.
    intros base. rewrite pass_cells, app_nil_r. apply NoDup_rev. exact cells_once.
  Qed.

  Lemma numbers_in : forall base q, In q cells -> In (q, numbers base q) (pass base [] cells).
  Proof.
    intros base q Q. destruct (pass_least base cells [] q Q) as (b & a & _ & I).
    unfold numbers. rewrite (number_of_in _ _ _ (pass_once base) I). trivial.
  Qed.

  Lemma numbers_least : forall base pre q post, cells = pre ++ q :: post ->
    numbers base q = least base (pass base [] pre) q.
  Proof.
    intros base pre q post E. unfold numbers. apply number_of_in; [apply pass_once |].
    rewrite E. clear E. generalize (@nil (V * Z)). induction pre as [| r pre IH]; simpl; intros given.
    - apply pass_given. left. trivial.
    - apply IH.
  Qed.

  Lemma numbers_before : forall base pre q post p, cells = pre ++ q :: post -> In p pre ->
    In (p, numbers base p) (pass base [] pre).
  Proof.
    intros base pre q post p E P. destruct (in_split p pre P) as (b & a & F).
    destruct (pass_least base pre [] p P) as (b' & a' & F' & I).
    assert (numbers base p = least base (pass base [] b') p) as ->; trivial.
    apply numbers_least with (a' ++ q :: post). rewrite E, F'. rewrite <- app_assoc. trivial.
  Qed.

  (** The numbers of the pass keep all orders and all lower bounds. *)
  Lemma numbers_orders : forall base, keeps_orders (numbers base).
  Proof.
    intros base p q k P Q A. destruct (in_split q cells Q) as (pre & post & E).
    rewrite (numbers_least base pre q post E). apply least_above with p; trivial.
    apply numbers_before with q post; trivial.
    rewrite E in P. apply in_app_or in P. destruct P as [P | P]; trivial.
    rewrite (forward _ _ _ E p P) in A. discriminate.
  Qed.

  Lemma numbers_lo : forall base p a, In p cells -> lo p = Some a -> a <= numbers base p.
  Proof.
    intros base p a P L. destruct (in_split p cells P) as (pre & post & E).
    rewrite (numbers_least base pre p post E).
    pose proof (least_above_lo base (pass base [] pre) p) as H. unfold from_lo in H. rewrite L in H. lia.
  Qed.

  (** They are the least: any choice that stays above the base has no smaller numbers. *)
  Theorem numbers_are_least : forall base h,
    solves h -> (forall p, In p cells -> base <= h p) -> forall p, In p cells -> numbers base p <= h p.
  Proof.
    intros base h [O B] Low.
    assert (G : forall rest given, incl rest cells ->
      (forall p x, In (p, x) given -> In p cells /\ x <= h p) ->
      forall p x, In (p, x) (pass base given rest) -> x <= h p).
    { induction rest as [| q rest IH]; simpl; intros given I T p x P; [apply (T p x P) |].
      assert (Q : In q cells) by (apply I; left; trivial).
      apply IH with (given := (q, least base given q) :: given); trivial.
      - intros r R. apply I. right. trivial.
      - intros r y [E | R]; [| auto]. inversion E; subst. split; trivial.
        destruct (least_from base given r) as [F | (p' & y & k & J & A & F)]; rewrite F.
        + unfold from_lo. pose proof (Low r Q). destruct (lo r) as [a |] eqn:L; trivial.
          pose proof (proj1 (B r Q) a L). lia.
        + destruct (T p' y J) as [P' Y]. pose proof (O p' r k P' Q A). lia. }
    intros p P. apply (G cells []) with (p := p); [apply incl_refl | intros ? ? [] |].
    apply numbers_in; trivial.
  Qed.

  (** ** The theorem *)

  Lemma low_below : forall q b, In q cells -> hi q = Some b -> low + Z.of_nat (length cells) <= b.
  Proof.
    intros q b Q H. unfold low. enough (least_hi <= b) by lia. unfold least_hi.
    induction cells as [| r l IH]; simpl; [destruct Q |].
    destruct Q as [-> | Q].
    - rewrite H. lia.
    - assert (NoDup l) by (inversion cells_once; trivial).
      enough (fold_right (fun v m => match hi v with Some c => Z.min c m | None => m end) 0 l <= b)
        by (destruct (hi r); lia).
      clear -Q H. induction l as [| r l IH]; simpl; [destruct Q |].
      destruct Q as [-> | Q]; [rewrite H | specialize (IH Q); destruct (hi r)]; lia.
  Qed.

  (** Where the pass succeeds, its numbers are a choice. *)
  Lemma can_stand_solves : can_stand = true -> solves (numbers low).
  Proof.
    intros C. split; [apply numbers_orders |]. intros p P. split; [intros a; apply numbers_lo; trivial |].
    intros b H. unfold can_stand in C. rewrite forallb_forall in C.
    specialize (C _ (numbers_in low p P)). unfold within in C. simpl in C. rewrite H in C. lia.
  Qed.

  (** Where it fails, a way that is too long is at hand. *)
  Lemma cannot_stand_way : can_stand = false -> exists p q w, too_long p q w.
  Proof.
    intros C.
    assert (F : exists e, In e (pass low [] cells) /\ within e = false).
    { unfold can_stand in C. clear -C.
      induction (pass low [] cells) as [| e l IH]; simpl in C; [discriminate |].
      apply andb_false_iff in C. destruct C as [C | C].
      - exists e. split; [left |]; trivial.
      - destruct (IH C) as (e' & I & E). exists e'. split; [right |]; trivial. }
    destruct F as ([q x] & I & Fq). unfold within in Fq. simpl in Fq.
    destruct (hi q) as [b |] eqn:H; [| discriminate]. apply Z.leb_gt in Fq.
    assert (Q : In q cells).
    { apply (in_map fst) in I. rewrite pass_cells, app_nil_r in I. apply in_rev. trivial. }
    destruct (pass_traced low cells [] (incl_refl _) (fun p y B => match B with end) q x I)
      as [(p & a & w & Wy & L & ->) | L].
    - exists p, q, w. split; trivial. exists a, b. auto.
    - simpl in L. pose proof (low_below q b Q H). lia.
  Qed.

  (** A choice of numbers exists exactly when the pass finds one, *)
  Theorem can_stand_correct : can_stand = true <-> exists h, solves h.
  Proof.
    split.
    - intros C. exists (numbers low). apply can_stand_solves, C.
    - intros [h Hs]. destruct can_stand eqn:C; trivial.
      destruct (cannot_stand_way C) as (p & q & w & T). destruct (too_long_refutes h p q w Hs T).
  Qed.

  (** and exactly when no way is too long. *)
  Theorem down_cards : (exists h, solves h) <-> forall p q w, ~ too_long p q w.
  Proof.
    split.
    - intros [h Hs] p q w T. exact (too_long_refutes h p q w Hs T).
    - intros N. apply can_stand_correct. destruct can_stand eqn:C; trivial.
      destruct (cannot_stand_way C) as (p & q & w & T). destruct (N p q w T).
  Qed.

  (** ** Ways through free cells *)

  (** A cell with one number for both bounds is fixed. *)
  Definition fixed (p : V) : Prop := exists n, lo p = Some n /\ hi p = Some n.

  (** A way whose inner cells are not fixed. *)
  Inductive free_way (p : V) : V -> Z -> Prop :=
  | free_here : In p cells -> free_way p p 0
  | free_first : forall r k, In p cells -> In r cells -> asks p r = Some k -> free_way p r k
  | free_on : forall q r w k, free_way p q w -> ~ fixed q -> In r cells -> asks q r = Some k ->
      free_way p r (w + k).

  Definition free_too_long (p q : V) (w : Z) : Prop :=
    free_way p q w /\ exists a b, lo p = Some a /\ hi q = Some b /\ b < a + w.

  Lemma fixed_dec : forall p, fixed p \/ ~ fixed p.
  Proof.
    intros p. unfold fixed.
    destruct (lo p) as [a |], (hi p) as [b |]; try (right; intros (n & A & B); discriminate).
    destruct (Z.eq_dec a b) as [-> | N]; [left; eauto | right]. intros (n & A & B). congruence.
  Qed.

  (** A way that is too long has a part that is too long, from bound to bound, through free cells only. *)
  Theorem too_long_free : forall p q w, too_long p q w ->
    exists p' q' w', free_too_long p' q' w'.
  Proof.
    intros p q w (Wy & a & b & L & H & T).
    enough (G : (exists p' q' w', free_too_long p' q' w') \/
      exists p' a' w', free_way p' q w' /\ lo p' = Some a' /\ a + w <= a' + w').
    { destruct G as [G | (p' & a' & w' & F & L' & G)]; trivial.
      exists p', q, w'. split; trivial. exists a', b. repeat split; trivial. lia. }
    clear b H T. induction Wy as [P | q r w k Wy IH R A].
    - right. exists p, a, 0. repeat split; trivial; [apply free_here; trivial | lia].
    - destruct IH as [IH | (p' & a' & w' & F & L' & G)]; [auto |].
      destruct (fixed_dec q) as [(n & Ln & Hn) | Nq].
      + destruct (Z_lt_le_dec n (a' + w')) as [Lt | Le].
        * left. exists p', q, w'. split; trivial. exists a', n. auto.
        * right. exists q, n, k. repeat split; trivial; [| lia].
          apply free_first; trivial. apply (way_ends _ _ _ Wy).
      + right. exists p', a', (w' + k). repeat split; trivial; [| lia].
        apply free_on with q; trivial.
  Qed.

End Numbers.

(** ** Examples: three cells in a row, the outer ones up with numbers 5 and n, the inner one down *)

Definition row_asks (k : Z) (p q : nat) : option Z :=
  if Nat.ltb p q then Some k else None.

Definition row_bound (free : option Z) (n : Z) (p : nat) : option Z :=
  match p with 0%nat => Some 5 | 1%nat => free | _ => Some n end.

(** Between 5 and 7 a down card can stand, between 5 and 6 it cannot, and under [repeats] it can. *)
Example between_5_and_7 : can_stand _ [0; 1; 2]%nat (row_asks 1) (row_bound None 7) (row_bound None 7) = true.
Proof. vm_compute. reflexivity. Qed.

Example between_5_and_6 :
  can_stand _ [0; 1; 2]%nat (row_asks 1) (row_bound None 6) (row_bound None 6) = false.
Proof. vm_compute. reflexivity. Qed.

Example between_5_and_6_repeats :
  can_stand _ [0; 1; 2]%nat (row_asks 0) (row_bound (Some 1) 6) (row_bound (Some 50) 6) = true.
Proof. vm_compute. reflexivity. Qed.
