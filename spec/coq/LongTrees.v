(** A repair whose certificates are all longer than a file may be: certificate.md, "tower-repair" and
    "Steps". *)

From Coq Require Import List ZArith Lia Bool Relations Permutation.
From Couperation Require Import Lists Cells Tower Decide Position Repair Reasons TowerChecker Trees Claims.
Import ListNotations.
Open Scope Z_scope.

(** * How many nodes a tree has *)

Section Nodes.
  Variable nodes : list (Z * list Z).
  Hypothesis Once : NoDup (concat (map snd nodes)).

  (** A branch of node i leads to j. *)
  Definition child (i j : Z) : Prop :=
    exists k branches, member nodes i = Some (k, branches) /\ In j branches.

  Lemma concat_once : forall A (s : list (list A)) a b x y j, NoDup (concat s) ->
    nth_error s a = Some x -> nth_error s b = Some y -> In j x -> In j y -> a = b.
  Proof.
    intros A s. induction s as [| z s IH]; intros a b x y j N Ea Eb Ix Iy; [destruct a; discriminate |].
    simpl in N. apply nodup_app_parts in N. destruct N as (_ & N & D).
    assert (Later : forall n w, nth_error s n = Some w -> In j w -> In j (concat s)).
    { intros n w E I. apply in_concat. exists w. split; trivial. eapply nth_error_In, E. }
    destruct a as [| a], b as [| b]; simpl in Ea, Eb; trivial.
    - injection Ea as ->. exfalso. exact (D j Ix (Later b y Eb Iy)).
    - injection Eb as ->. exfalso. exact (D j Iy (Later a x Ea Ix)).
    - f_equal. eapply IH; eassumption.
  Qed.

  Lemma member_nth : forall A (s : list A) i x, member s i = Some x ->
    0 <= i < Z.of_nat (length s) /\ nth_error s (Z.to_nat i) = Some x.
  Proof.
    intros A s i x H. unfold member in H. destruct (0 <=? i) eqn:E; [| discriminate].
    destruct (Z.ltb_spec i (Z.of_nat (length s))); [| discriminate]. apply Z.leb_le in E.
    split; [lia | trivial].
  Qed.

  (** "That no other branch leads to." *)
  Lemma one_parent : forall i i' j, child i j -> child i' j -> i = i'.
  Proof.
    intros i i' j (k & bs & E & I) (k' & bs' & E' & I').
    apply member_nth in E, E'. destruct E as [R E], E' as [R' E'].
    apply (map_nth_error snd) in E, E'. simpl in E, E'.
    pose proof (concat_once _ _ _ _ _ _ j Once E E' I I'). lia.
  Qed.

  (** Of two nodes from which the same node is reached one is reached from the other. *)
  Lemma reached_from_both : forall i x, clos_refl_trans_n1 _ child i x ->
    forall i', clos_refl_trans_n1 _ child i' x ->
      clos_refl_trans_n1 _ child i i' \/ clos_refl_trans_n1 _ child i' i.
  Proof.
    intros i x R. induction R as [| y x S R IH]; intros i' R'; [right; exact R' |].
    inversion R' as [| y' x' S' R'']; subst; [left; econstructor 2; eassumption |].
    rewrite (one_parent y y' x) in * by trivial. apply IH. exact R''.
  Qed.

  (** The nodes down to n levels below i. *)
  Fixpoint reach (n : nat) (i : Z) : list Z :=
    i :: match n, member nodes i with
         | S n, Some (_, branches) => concat (map (reach n) branches)
         | _, _ => []
         end.

  Lemma reach_reached : forall n i x, In x (reach n i) -> clos_refl_trans_n1 _ child i x.
  Proof.
    induction n as [| n IH]; intros i x; cbn [reach]; intros [<- | I];
      [constructor | destruct I | constructor |].
    destruct (member nodes i) as [[k bs] |] eqn:E; [| destruct I]. apply in_concat in I.
    destruct I as (s & J & I). apply in_map_iff in J. destruct J as (j & <- & J). specialize (IH j x I).
    apply clos_rt_rtn1. apply rt_trans with j; [| apply clos_rtn1_rt, IH].
    apply rt_step. exists k, bs. auto.
  Qed.

  Hypothesis Later : forall i j, child i j -> i < j.

  Lemma reached_later : forall i x, clos_refl_trans_n1 _ child i x -> i <= x.
  Proof. intros i x R. induction R as [| y x S _ IH]; [lia |]. apply Later in S. lia. Qed.

  (** Branches of a node lead to different nodes, from which no node is reached twice. *)
  Lemma siblings_apart : forall i j j' x, child i j -> child i j' -> j <> j' ->
    clos_refl_trans_n1 _ child j x -> ~ clos_refl_trans_n1 _ child j' x.
  Proof.
    intros i j j' x C C' D R R'.
    assert (No : forall a b, child i a -> child i b -> a <> b -> ~ clos_refl_trans_n1 _ child a b).
    { intros a b Ca Cb Dab Rab. inversion Rab as [| y z S R'' E1]; subst; [congruence |].
      rewrite (one_parent y i b) in R'' by trivial. apply reached_later in R''. apply Later in Ca. lia. }
    destruct (reached_from_both j x R j' R') as [A | A]; [exact (No j j' C C' D A) |].
    apply (No j' j C' C); auto.
  Qed.

  Lemma branches_once : forall i k bs, member nodes i = Some (k, bs) -> NoDup bs.
  Proof.
    intros i k bs E. apply member_nth in E. destruct E as [_ E]. apply nth_error_In in E.
    apply in_split in E. destruct E as (s & t & ->). rewrite map_app, concat_app in Once. simpl in Once.
    apply nodup_app_parts in Once. destruct Once as (_ & N & _). apply nodup_app_parts in N. apply N.
  Qed.

  Lemma reach_once : forall n i, NoDup (reach n i).
  Proof.
    induction n as [| n IH]; intros i; cbn [reach]; [repeat constructor; intros [] |].
    destruct (member nodes i) as [[k bs] |] eqn:E; [| repeat constructor; intros []].
    assert (Ch : forall j, In j bs -> child i j) by (intros j I; exists k, bs; auto).
    constructor.
    - intros I. apply in_concat in I. destruct I as (s & J & I). apply in_map_iff in J.
      destruct J as (j & <- & J). apply reach_reached, reached_later in I. apply Ch, Later in J. lia.
    - apply branches_once in E. induction E as [| j bs Nj N IHb]; simpl; [constructor |].
      apply joined_nodup; [apply IH | apply IHb; intros b I; apply Ch; right; trivial |].
      intros x I J. apply in_concat in J. destruct J as (s & K & J). apply in_map_iff in K.
      destruct K as (j' & <- & K). apply reach_reached in I, J.
      revert J. apply (siblings_apart i j j' x); [apply Ch; simpl; auto .. | | exact I].
      intros ->. exact (Nj K).
  Qed.

  (** All of them are nodes of the list. *)
  Lemma reach_few : forall n, (0 < length nodes)%nat ->
    (forall j, In j (concat (map snd nodes)) -> j < Z.of_nat (length nodes)) ->
    (length (reach n 0) <= length nodes)%nat.
  Proof.
    intros n Some In_range. rewrite <- (map_length Z.to_nat), <- (seq_length (length nodes) 0).
    assert (R : forall x, In x (reach n 0) -> 0 <= x < Z.of_nat (length nodes)).
    { intros x I. apply reach_reached in I. inversion I as [| y z (k & bs & E & J) _ E1]; subst; [lia |].
      pose proof (Later y x (ex_intro _ k (ex_intro _ bs (conj E J)))) as Y.
      apply member_nth in E. destruct E as [B E]. split; [lia |]. apply In_range, in_concat. exists bs.
      split; trivial. apply nth_error_In in E. apply in_map_iff. exists (k, bs). auto. }
    apply NoDup_incl_length.
    - apply Unseen.map_nodup; [apply reach_once |]. intros x y I J E. apply R in I, J. lia.
    - intros m I. apply in_map_iff in I. destruct I as (x & <- & I). apply R in I. apply in_seq. lia.
  Qed.

  (** Where each conflict has two cells or more, each node above the last level has two branches or more. *)
  Lemma walk_many : forall Ks n way i, (forall K, In K Ks -> (2 <= length K)%nat) ->
    walk Ks nodes n way i = true -> (2 ^ S n <= S (length (reach n i)))%nat.
  Proof.
    intros Ks n way i Two. revert way i. induction n as [| n IH]; intros way i H; [simpl; lia |].
    cbn [walk] in H. cbn [reach]. destruct (member nodes i) as [[k bs] |] eqn:E; [| discriminate].
    destruct (member Ks k) as [K |] eqn:EK; [| discriminate]. apply member_in, Two in EK.
    apply andb_true_iff in H. destruct H as [_ H]. destruct K as [| c [| d K]]; simpl in EK; try lia.
    cbn [is_nil] in H. apply andb_true_iff in H. destruct H as [Len H]. apply Z.eqb_eq in Len.
    destruct bs as [| j [| j' bs]]; simpl length in Len; try lia.
    cbn [combine forallb fst snd] in H. rewrite !andb_true_iff in H. destruct H as (H1 & H2 & _).
    apply IH in H1, H2. cbn [map concat length]. rewrite !app_length. simpl Nat.pow in *. lia.
  Qed.
End Nodes.

(** Where each conflict has two cells or more, a proof of more than half the cards is a tree of 2^d - 1 nodes
    or more. *)
Theorem long_tree : forall P l d p, allowed P = true -> In l (places P) ->
  (forall K, conflict P l K -> NoDup K -> (2 <= length K)%nat) -> (length (may_go P) < 2 * d)%nat ->
  proof_ok P l (Some d) p = true -> (2 ^ d <= S (length (nodes_of p)))%nat.
Proof.
  intros P l d p A L Two Half H.
  assert (Each : forall Cs, forallb (conflict_ok P l) Cs = true -> forall K, In K (map fst Cs) ->
    (2 <= length K)%nat /\ incl K (may_go P)).
  { intros Cs C K I. apply in_map_iff in I. destruct I as (c & <- & I). rewrite forallb_forall in C.
    specialize (C c I). pose proof (conflict_ok_sound P A l c L C) as Co. split; [| apply Co].
    apply Two; trivial. unfold conflict_ok, may_be_given_up in C. rewrite !andb_true_iff in C.
    apply rising_cells_nodup, C. }
  destruct p as [Cs | Cs nodes]; cbn [proof_ok nodes_of] in *; apply andb_true_iff in H; destruct H as [C H];
    specialize (Each Cs C).
  - exfalso. destruct d as [| d]; [lia |]. apply orb_true_iff in H. destruct H as [H | H].
    + apply andb_true_iff in H. destruct H as [D N]. apply Z.leb_le in D.
      apply (distinctb_nodup _ _ eqb_true) in N.
      assert (Inc : incl (concat (map fst Cs)) (may_go P)).
      { intros c I. apply in_concat in I. destruct I as (K & J & I). exact (proj2 (Each K J) c I). }
      pose proof (NoDup_incl_length N Inc) as Le.
      assert (2 * length (map fst Cs) <= length (concat (map fst Cs)))%nat; [| lia].
      clear - Each. induction (map fst Cs) as [| K Ks IH]; [simpl; lia |]. simpl. rewrite app_length.
      destruct (Each K (or_introl eq_refl)) as [E _].
      specialize (IH (fun J I => Each J (or_intror I))). lia.
    + destruct (map fst Cs) as [| [| c K] [| K' Ks]]; try discriminate.
      destruct (Each [] (or_introl eq_refl)) as [E _]. simpl in E. lia.
  - destruct d as [| n]; [lia |]. apply andb_true_iff in H. destruct H as [R W].
    unfold reached_once in R. rewrite !andb_true_iff in R. destruct R as (((La & N) & B) & E).
    apply (distinctb_nodup _ _ Z.eqb_eq) in N. rewrite forallb_forall in B. apply Z.eqb_eq in E.
    assert (Many := walk_many nodes (map fst Cs) n [] 0 (fun K I => proj1 (Each K I)) W).
    eapply Nat.le_trans; [exact Many |].
    apply le_n_S, reach_few; trivial; [| lia |].
    + intros i j (k & bs & F & I). apply member_nth in F. destruct F as [R F].
      apply nth_error_split in F. destruct F as (s & t & -> & F). rewrite later_app in La.
      cbn [later_from] in La. rewrite F, !andb_true_iff, forallb_forall in La.
      destruct La as (_ & La & _). specialize (La j I). apply Z.ltb_lt in La. lia.
    + intros j I. apply Z.ltb_lt, B, I.
Qed.

(** * A tower of which no two cards may stay *)

Section Groups.
  Variable P : position.
  Hypothesis Al : allowed P = true.
  Variable l : Z.
  Hypothesis L : In l (places P).

  (** No card alone is a conflict: each could stay if all others were given up. *)
  Definition each_could_stay : bool :=
    forallb (fun c => decide (world P l (minus (may_go P) [c]))) (may_go P).

  Lemma two_cells : may_go P <> [] -> each_could_stay = true ->
    forall K, conflict P l K -> NoDup K -> (2 <= length K)%nat.
  Proof.
    intros Some H K [Inc N] D. unfold each_could_stay in H. rewrite forallb_forall in H.
    assert (One : forall c, In c (may_go P) -> incl K [c] -> False).
    { intros c I Sub. specialize (H c I). apply (decide_correct _ (world_valid P Al l _ L)) in H.
      apply N. revert H. apply (giving_up_more P Al l L). intros p J. rewrite in_minus in *.
      split; [apply J |]. intros Q. apply Sub in Q. apply J, Q. }
    destruct K as [| c [| d K]]; simpl; [exfalso | exfalso | lia].
    - destruct (may_go P) as [| c M]; [congruence |]. apply (One c); [left; trivial | intros p []].
    - apply (One c); [apply Inc; left; trivial | intros p I; exact I].
  Qed.

  (** Cards any two of which are a conflict. *)
  Definition exclude (g : list cell) : bool :=
    forallb (fun p => forallb (fun q => eqb p q || negb (decide (world P l (minus (may_go P) [p; q])))) g) g.

  (** At most one of them is not given up. *)
  Lemma exclude_one : forall g X, incl g (may_go P) -> NoDup g -> exclude g = true -> saves P l X ->
    (length g <= S (count (fun c => among c X) g))%nat.
  Proof.
    intros g X Inc N H S. unfold exclude in H. rewrite forallb_forall in H.
    assert (Pair : forall p q, In p g -> In q g -> p <> q -> In p X \/ In q X).
    { intros p q I J D. specialize (H p I). rewrite forallb_forall in H. specialize (H q J).
      apply orb_true_iff in H. destruct H as [H | H]; [apply eqb_true in H; congruence |].
      destruct (saving_meets P Al l L X [p; q] S) as (c & Xc & [<- | [<- | []]]); auto.
      split; [intros r [<- | [<- | []]]; auto |]. intros C.
      apply (decide_correct _ (world_valid P Al l _ L)) in C. rewrite C in H. discriminate. }
    clear H Inc. induction N as [| c g Nc N IH]; [simpl; lia |]. rewrite count_cons. simpl length.
    destruct (among c X) eqn:E.
    { specialize (IH (fun p q I J => Pair p q (or_intror I) (or_intror J))). lia. }
    rewrite count_all; [lia |]. intros q I. apply among_true.
    destruct (Pair c q (or_introl eq_refl) (or_intror I)) as [A | A]; trivial; [congruence |].
    apply among_true in A. congruence.
  Qed.

  (** So of all the cards at most one of each group stays. *)
  Lemma groups_bound : forall gs X, incl (concat gs) (may_go P) -> NoDup (concat gs) ->
    forallb exclude gs = true -> saves P l X -> (length (concat gs) <= length gs + length X)%nat.
  Proof.
    intros gs X Inc N H S.
    assert (Le : (length (concat gs) <= length gs + count (fun c => among c X) (concat gs))%nat).
    { clear - Al L Inc N H S. induction gs as [| g gs IH]; simpl in *; [lia |].
      apply andb_true_iff in H. destruct H as [H1 H2]. apply nodup_app_parts in N.
      destruct N as (N1 & N2 & _).
      unfold count in *. rewrite filter_app, !app_length.
      assert (G := exclude_one g X (fun c I => Inc c (in_or_app _ _ _ (or_introl I))) N1 H1 S).
      specialize (IH (fun c I => Inc c (in_or_app _ _ _ (or_intror I))) N2 H2). unfold count in G. lia. }
    assert (Xs : (count (fun c => among c X) (concat gs) <= length X)%nat); [| lia].
    apply NoDup_incl_length; [apply NoDup_filter, N |]. intros c I. apply filter_In in I.
    apply among_true, I.
  Qed.
End Groups.

(** A full tower at d, all cards up. *)
Definition contrary : position :=
  Position printed false false Strict Strict Numbered AnyCard
    (map (fun x => (fst x, Some (Glass (snd x)), true))
      [((3, 1), 19); ((4, 1), 26); ((5, 1), 27); ((6, 1), 36); ((7, 1), 18); ((8, 1), 21); ((9, 1), 45);
       ((3, 2), 17); ((4, 2), 29); ((5, 2), 37); ((6, 2), 24); ((7, 2), 32); ((8, 2), 47);
       ((3, 3), 15); ((4, 3), 11); ((5, 3), 39); ((6, 3), 35); ((7, 3), 28);
       ((3, 4), 13); ((4, 4), 23); ((5, 4), 16); ((6, 4), 22);
       ((3, 5), 30); ((4, 5), 20); ((5, 5), 25);
       ((3, 6), 38); ((4, 6), 31); ((3, 7), 41)]) [] [] [] [].

Definition contrary_groups : list (list cell) :=
  [[(8, 2); (9, 1); (3, 6)]; [(3, 7); (4, 6); (5, 5); (6, 4)];
   [(4, 3); (3, 4); (3, 3); (3, 2); (3, 1); (8, 1)];
   [(6, 1); (5, 2); (6, 3); (7, 2); (7, 3)]; [(5, 1); (5, 4); (4, 1)]; [(5, 3); (7, 1); (6, 2)];
   [(4, 5); (3, 5); (4, 4)]; [(4, 2)]].

Example contrary_allowed : allowed contrary = true /\ told contrary = true /\ places contrary = [3] /\
  length (may_go contrary) = 28%nat.
Proof. vm_compute. repeat split; reflexivity. Qed.

Lemma contrary_pairs : each_could_stay contrary 3 = true /\
  forallb (exclude contrary 3) contrary_groups = true.
Proof. vm_compute. split; reflexivity. Qed.

(** Its distance is 20 at least. *)
Lemma contrary_distance : forall X, saves contrary 3 X -> (20 <= length X)%nat.
Proof.
  intros X S. assert (L : In 3 (places contrary)) by (vm_compute; auto).
  pose proof (groups_bound contrary eq_refl 3 L contrary_groups X) as B.
  assert (Len : length (concat contrary_groups) = 28%nat) by reflexivity.
  rewrite Len in B. change (length contrary_groups) with 8%nat in B.
  assert (28 <= 8 + length X)%nat; [apply B; [| | apply contrary_pairs | exact S] | lia].
  - intros c I. apply among_true. revert c I. apply forallb_forall. vm_compute. reflexivity.
  - apply (distinctb_nodup _ _ eqb_true). vm_compute. reflexivity.
Qed.

(** It has a distance, and a certificate of that which is accepted; in each of these a tree has more than a
    million nodes. *)
Theorem long_repair :
  (exists X l m lower, accepts contrary (Repaired X l m lower) = true) /\
  forall X l m lower, accepts contrary (Repaired X l m lower) = true ->
    exists p, In (3, p) lower /\ (2 ^ 20 <= S (length (nodes_of p)))%nat.
Proof.
  assert (A : allowed contrary = true) by reflexivity.
  assert (L : In 3 (places contrary)) by (vm_compute; auto).
  split.
  - destruct (distance_or_none contrary A) as [B | (d & D)].
    + exfalso. apply (B 3 (may_go contrary) L). split; [apply incl_refl |].
      apply (decide_correct _ (world_valid contrary A 3 _ L)). vm_compute. reflexivity.
    + destruct (distance_certified contrary d A D) as (X & l & m & lower & _ & Ok). eauto.
  - intros X l m lower H. pose proof (accepts_sound contrary _ H) as [(k & Y & K & S & E) _].
    assert (k = 3) by (vm_compute in K; destruct K as [K | []]; congruence). subst k.
    apply contrary_distance in S. rewrite E in S.
    unfold accepts in H. apply andb_true_iff in H. destruct H as [_ H]. cbn [evidence_ok] in H.
    rewrite !andb_true_iff, forallb_forall in H. destruct H as ((((_ & Pl) & _) & _) & Ok).
    destruct (all_places_in contrary _ lower 3 Pl L) as (p & I). exists p. split; trivial.
    specialize (Ok _ I). cbn [fst snd] in Ok. eapply Nat.le_trans; cycle 1.
    + apply (long_tree contrary 3 (length X) p A L); trivial.
      * apply (two_cells contrary A 3 L); [discriminate | apply contrary_pairs].
      * assert (Len : length (may_go contrary) = 28%nat) by apply contrary_allowed. rewrite Len. lia.
    + apply Nat.pow_le_mono_r; lia.
Qed.
