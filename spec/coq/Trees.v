(** Certificates of a repair: certificate.md, "tower-repair". Each lower bound that holds has a proof that is
    accepted, and so each distance. *)

From Coq Require Import List ZArith Lia Bool Permutation.
From Couperation Require Import Lists Cells Tower Decide Position Repair Reasons TowerChecker.
Import ListNotations.
Open Scope Z_scope.

(** * Cards in the order of the format *)

Definition before (p q : cell) : bool := (col p <? col q) || (col p =? col q) && (lev p <? lev q).

(** Cells by column, then level, each once. *)
Fixpoint put (c : cell) (l : list cell) : list cell :=
  match l with
  | [] => [c]
  | d :: l' => if before c d then c :: l else if eqb c d then l else d :: put c l'
  end.

Definition in_order (K : list cell) : list cell := fold_right put [] K.

Example in_order_sorts : in_order [(5, 1); (3, 2); (5, 1); (3, 1)] = [(3, 1); (3, 2); (5, 1)].
Proof. reflexivity. Qed.

Lemma in_put : forall c l p, In p (put c l) <-> p = c \/ In p l.
Proof.
  intros c l p. induction l as [| d l IH]; simpl; [intuition |].
  destruct (before c d); [simpl; intuition |]. destruct (eqb_spec c d) as [-> |]; simpl; [intuition |].
  rewrite IH. tauto.
Qed.

Lemma in_in_order : forall K p, In p (in_order K) <-> In p K.
Proof. intros K p. induction K as [| c K IH]; simpl; [tauto |]. rewrite in_put, IH. intuition. Qed.

Lemma rising_cons : forall p q l, rising_cells (p :: q :: l) = before p q && rising_cells (q :: l).
Proof. reflexivity. Qed.

Lemma before_or_after : forall p q, before p q = false -> p <> q -> before q p = true.
Proof.
  intros p q B N. unfold before in *. rewrite orb_false_iff, andb_false_iff, !Z.ltb_ge, Z.eqb_neq in B.
  rewrite orb_true_iff, andb_true_iff, !Z.ltb_lt, Z.eqb_eq.
  destruct (Z.eq_dec (col p) (col q)); [| lia]. destruct (Z.eq_dec (lev p) (lev q)); [| lia].
  exfalso. apply N, cell_ext; trivial.
Qed.

Lemma put_rising : forall c l, rising_cells l = true -> rising_cells (put c l) = true.
Proof.
  intros c l. induction l as [| d l IH]; intros R; [reflexivity |]. cbn [put].
  destruct (before c d) eqn:B; [rewrite rising_cons, B; exact R |].
  destruct (eqb_spec c d) as [-> | N]; [exact R |]. pose proof (before_or_after c d B N) as A.
  destruct l as [| e l]; [cbn [put]; rewrite rising_cons, A; reflexivity |].
  rewrite rising_cons in R. apply andb_true_iff in R. destruct R as [R1 R2]. specialize (IH R2).
  cbn [put] in *. destruct (before c e); [rewrite rising_cons, A; exact IH |].
  destruct (eqb c e); rewrite rising_cons, R1; exact IH.
Qed.

Lemma in_order_rising : forall K, rising_cells (in_order K) = true.
Proof. induction K as [| c K IH]; [reflexivity | apply put_rising, IH]. Qed.

Lemma in_order_nodup : forall K, NoDup (in_order K).
Proof. intros K. apply rising_cells_nodup, in_order_rising. Qed.

Lemma in_order_length : forall K, (length (in_order K) <= length K)%nat.
Proof.
  intros K. apply NoDup_incl_length; [apply in_order_nodup |]. intros p I. apply in_in_order, I.
Qed.

Lemma in_order_permutation : forall K, NoDup K -> Permutation (in_order K) K.
Proof. intros K N. apply NoDup_Permutation; trivial; [apply in_order_nodup | apply in_in_order]. Qed.

(** * Conflicts with their reasons *)

Section Place.
  Variable P : position.
  Hypothesis Al : allowed P = true.
  Variable l : Z.
  Hypothesis L : In l (places P).

  (** What a set saves, and whether it is a conflict, does not depend on the order of its cells. *)
  Lemma in_order_saves : forall X, saves P l X -> saves P l (in_order X).
  Proof.
    intros X [Inc C]. split; [intros p I; apply Inc, in_in_order, I |].
    apply (giving_up_more P Al l L X); trivial. intros p I. apply in_in_order, I.
  Qed.

  Lemma conflict_in_order : forall K, conflict P l K -> conflict P l (in_order K).
  Proof.
    intros K [Inc N]. split; [intros p I; apply Inc, in_in_order, I |]. intros C. apply N. revert C.
    apply (giving_up_more P Al l L). intros p I. rewrite in_minus, in_in_order in *. exact I.
  Qed.

  Lemma conflict_claimed : forall K, conflict P l K -> exists r, conflict_ok P l (in_order K, r) = true.
  Proof.
    intros K C. destruct (conflict_certified P l (in_order K) Al L) as (r & R & _); [| | eauto].
    - apply conflict_in_order, C.
    - apply in_order_rising.
  Qed.

  Lemma conflict_narrow : forall K, conflict P l K -> (length (in_order K) <= length (may_go P))%nat.
  Proof.
    intros K [Inc _]. apply NoDup_incl_length; [apply in_order_nodup |].
    intros p I. apply Inc, in_in_order, I.
  Qed.

  (** "At least d conflicts, pairwise without a common cell." *)
  Theorem disjoint_certified : forall d Ks, Forall (conflict P l) Ks -> NoDup (concat Ks) ->
    (0 < d <= length Ks)%nat -> exists Cs, proof_ok P l (Some d) (Disjoint Cs) = true.
  Proof.
    intros d Ks C N D.
    assert (H : exists Cs, map fst Cs = map in_order Ks /\ forallb (conflict_ok P l) Cs = true).
    { clear N D. induction C as [| K Ks C1 C2 IH]; [exists []; auto |]. destruct IH as (Cs & E & F).
      destruct (conflict_claimed K C1) as (r & R). exists ((in_order K, r) :: Cs). simpl. rewrite E, R.
      auto. }
    destruct H as (Cs & E & F). exists Cs. destruct d as [| d]; [lia |]. cbn [proof_ok]. rewrite F, E.
    apply orb_true_iff. left. rewrite map_length. apply andb_true_iff. split; [apply Z.leb_le; lia |].
    apply (distinctb_nodup _ _ eqb_true). apply Permutation_NoDup with (concat Ks); trivial.
    clear C E F D. induction Ks as [| K Ks IH]; [constructor |]. simpl in N. apply nodup_app_parts in N.
    destruct N as (N1 & N2 & _). simpl. apply Permutation_app; auto.
    symmetry. apply in_order_permutation, N1.
  Qed.

  (** * Trees *)

  (** Trees as in [closed], each conflict above the last level having at most b cells. *)
  Inductive tree (b : nat) : nat -> list cell -> Prop :=
    | tree_leaf : forall W K, conflict P l K -> ~ meets W K -> tree b 0 W
    | tree_empty : forall n W, conflict P l [] -> tree b n W
    | tree_node : forall n W K, conflict P l K -> ~ meets W K -> (length (in_order K) <= b)%nat ->
        (forall c, In c K -> tree b n (c :: W)) -> tree b (S n) W.

  (** Every tree of conflicts is one. *)
  Lemma closed_tree : forall n W, closed P l n W -> tree (length (may_go P)) n W.
  Proof.
    intros n W T. induction T as [W K C M | n W C | n W K C M _ IH].
    - apply tree_leaf with K; trivial.
    - apply tree_empty, C.
    - apply tree_node with K; trivial. apply conflict_narrow, C.
  Qed.

  (** How many nodes such a tree has at most, where n more cards may be given up: 1 + b + ... + b^n. *)
  Fixpoint most_nodes (b n : nat) : nat := match n with O => 1 | S n => 1 + b * most_nodes b n end.

  (** A list of nodes as the format asks, from index [at_node] on, of a tree whose conflicts stand from index
      [at_conflict] on; [roots] are the nodes that no branch of the list leads to. *)
  Record listed (b n : nat) (W : list (list cell)) (at_node at_conflict : nat) (roots : list Z)
    (Cs : list conflict_claim) (nodes : list (Z * list Z)) : Prop := {
    conflicts_hold : forallb (conflict_ok P l) Cs = true;
    one_root_each : length roots = length W;
    walks : forall Cs1 Cs2 nodes1 nodes2, length Cs1 = at_conflict -> length nodes1 = at_node ->
      forallb (fun x => walk (map fst (Cs1 ++ Cs ++ Cs2)) (nodes1 ++ nodes ++ nodes2) n (fst x) (snd x))
        (combine W roots) = true;
    later : later_from (Z.of_nat at_node) nodes = true;
    reached : NoDup (roots ++ concat (map snd nodes)) /\
      length (roots ++ concat (map snd nodes)) = length nodes /\
      forall j, In j (roots ++ concat (map snd nodes)) ->
        Z.of_nat at_node <= j < Z.of_nat (at_node + length nodes);
    indexes : forall x, In x nodes -> Z.of_nat at_conflict <= fst x < Z.of_nat (at_conflict + length Cs);
    few_nodes : (length nodes <= length W * most_nodes b n)%nat;
    few_conflicts : length Cs = length nodes }.

  Lemma member_at : forall A (s t : list A) x, member (s ++ x :: t) (Z.of_nat (length s)) = Some x.
  Proof.
    intros A s t x. unfold member. rewrite app_length. simpl length.
    rewrite (proj2 (Z.leb_le _ _)), (proj2 (Z.ltb_lt _ _)) by lia. cbn [andb]. rewrite Nat2Z.id.
    rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity.
  Qed.

  Lemma joined_nodup : forall A (s t : list A), NoDup s -> NoDup t -> (forall x, In x s -> ~ In x t) ->
    NoDup (s ++ t).
  Proof.
    intros A s t N M D. induction N as [| x s Nx N IH]; simpl; trivial. constructor.
    - rewrite in_app_iff. intros [I | I]; [tauto |]. exact (D x (or_introl eq_refl) I).
    - apply IH. intros y I. apply D. right. trivial.
  Qed.

  Lemma later_app : forall s t i,
    later_from i (s ++ t) = later_from i s && later_from (i + Z.of_nat (length s)) t.
  Proof.
    induction s as [| [k branches] s IH]; intros t i; simpl later_from.
    - rewrite Z.add_0_r. reflexivity.
    - rewrite IH, andb_assoc. do 2 f_equal. simpl length. lia.
  Qed.

  Lemma most_nodes_some : forall b n, (1 <= most_nodes b n)%nat.
  Proof. intros b [| n]; simpl; lia. Qed.

  (** The way to a node avoids its conflict. *)
  Lemma way_avoids : forall W K, ~ meets W K -> forallb (fun c => negb (among c (in_order K))) W = true.
  Proof.
    intros W K M. apply forallb_forall. intros c I. apply negb_true_iff.
    destruct (among c (in_order K)) eqn:E; trivial. apply among_true in E. rewrite in_in_order in E.
    exfalso. apply M. exists c. auto.
  Qed.

  (** A node without branches. *)
  Lemma one_node : forall b n W K at_node at_conflict, conflict P l K -> ~ meets W K -> n = O \/ K = [] ->
    exists Cs nodes, listed b n [W] at_node at_conflict [Z.of_nat at_node] Cs nodes.
  Proof.
    intros b n W K a k C M Last. destruct (conflict_claimed K C) as (r & R).
    exists [(in_order K, r)], [(Z.of_nat k, [])]. split; simpl; trivial.
    - rewrite R. reflexivity.
    - intros Cs1 Cs2 nodes1 nodes2 <- <-. rewrite map_app. cbn [map fst].
      rewrite andb_true_r.
      replace (length Cs1) with (length (map fst Cs1)) by apply map_length.
      destruct n as [| n]; cbn [walk]; rewrite !member_at, way_avoids by trivial; [reflexivity |].
      destruct Last as [| ->]; [discriminate | reflexivity].
    - split; [repeat constructor; intros [] |]. split; trivial. intros j [<- | []]. lia.
    - intros x [<- | []]. simpl. lia.
    - pose proof (most_nodes_some b n). lia.
  Qed.

  (** Trees side by side: the second begins where the first ends. *)
  Lemma side_by_side : forall b n W Ws a k Cs nodes roots Cs' nodes',
    listed b n [W] a k [Z.of_nat a] Cs nodes ->
    listed b n Ws (a + length nodes) (k + length Cs) roots Cs' nodes' ->
    listed b n (W :: Ws) a k (Z.of_nat a :: roots) (Cs ++ Cs') (nodes ++ nodes').
  Proof.
    intros b n W Ws a k Cs nodes roots Cs' nodes' [A1 _ A2 AL (A3 & A4 & A5) AI A6 A7]
      [B1 B2 B3 BL (B4 & B5 & B6) BI B7 B8].
    split.
    - rewrite forallb_app, A1, B1. reflexivity.
    - simpl. congruence.
    - intros Cs1 Cs2 nodes1 nodes2 E1 E2. specialize (A2 Cs1 (Cs' ++ Cs2) nodes1 (nodes' ++ nodes2) E1 E2).
      specialize (B3 (Cs1 ++ Cs) Cs2 (nodes1 ++ nodes) nodes2).
      rewrite !app_length, E1, E2 in B3. specialize (B3 eq_refl eq_refl).
      rewrite <- !app_assoc in *. cbn [combine forallb fst snd] in *. rewrite andb_true_r in A2.
      rewrite A2, B3. reflexivity.
    - rewrite later_app, AL, <- Nat2Z.inj_add, BL. reflexivity.
    - assert (Pm : Permutation ((Z.of_nat a :: roots) ++ concat (map snd (nodes ++ nodes')))
        (([Z.of_nat a] ++ concat (map snd nodes)) ++ (roots ++ concat (map snd nodes')))).
      { rewrite map_app, concat_app. simpl. constructor. rewrite !app_assoc.
        apply Permutation_app_tail, Permutation_app_comm. }
      split; [| split].
      + apply (Permutation_NoDup (Permutation_sym Pm)). apply joined_nodup; trivial.
        intros j I J. specialize (A5 j I). specialize (B6 j J). lia.
      + rewrite (Permutation_length Pm), app_length, A4, B5, app_length. reflexivity.
      + intros j I. apply (Permutation_in j Pm), in_app_or in I. rewrite app_length.
        destruct I as [I | I]; [specialize (A5 j I) | specialize (B6 j I)]; lia.
    - intros x I. rewrite app_length. apply in_app_or in I.
      destruct I as [I | I]; [specialize (AI x I) | specialize (BI x I)]; lia.
    - rewrite app_length. simpl in *. lia.
    - rewrite !app_length. lia.
  Qed.

  Lemma forest_listed : forall b n Ws,
    (forall W, In W Ws -> forall a k, exists Cs nodes, listed b n [W] a k [Z.of_nat a] Cs nodes) ->
    forall a k, exists roots Cs nodes, listed b n Ws a k roots Cs nodes.
  Proof.
    intros b n Ws. induction Ws as [| W Ws IH]; intros H a k.
    - exists [], [], []. split; simpl; trivial; [| intros x []].
      split; [constructor |]. split; trivial. intros j [].
    - destruct (H W (or_introl eq_refl) a k) as (Cs & nodes & A).
      destruct (IH (fun V I => H V (or_intror I)) (a + length nodes)%nat (k + length Cs)%nat)
        as (roots & Cs' & nodes' & B).
      exists (Z.of_nat a :: roots), (Cs ++ Cs'), (nodes ++ nodes'). apply side_by_side; trivial.
  Qed.

  (** Each tree can be written as a list of nodes. *)
  Theorem tree_listed : forall b n W, tree b n W ->
    forall a k, exists Cs nodes, listed b n [W] a k [Z.of_nat a] Cs nodes.
  Proof.
    intros b n W T. induction T as [W K C M | n W C | n W K C M B _ IH]; intros a k.
    - apply one_node with K; auto.
    - apply one_node with []; auto. intros (c & _ & []).
    - destruct (conflict_claimed K C) as (r & R).
      destruct (forest_listed b n (map (fun c => c :: W) (in_order K))) with (a := S a) (k := S k)
        as (roots & Cs & nodes & [A1 A2 A3 AL (A4 & A5 & A6) AI A7 A8]).
      { intros V I. apply in_map_iff in I. destruct I as (c & <- & I). apply IH, in_in_order, I. }
      rewrite map_length in A2, A7.
      exists ((in_order K, r) :: Cs), ((Z.of_nat k, roots) :: nodes). split; trivial.
      + simpl. rewrite R. exact A1.
      + intros Cs1 Cs2 nodes1 nodes2 E1 E2.
        specialize (A3 (Cs1 ++ [(in_order K, r)]) Cs2 (nodes1 ++ [(Z.of_nat k, roots)]) nodes2).
        rewrite !app_length, E1, E2, !Nat.add_1_r, <- !app_assoc in A3. specialize (A3 eq_refl eq_refl).
        cbn [app combine forallb fst snd] in *. rewrite andb_true_r. cbn [walk]. rewrite <- E2 at 1.
        rewrite member_at. rewrite map_app. cbn [map fst].
        replace k with (length (map fst Cs1)) at 1 by (rewrite map_length; exact E1).
        rewrite member_at, way_avoids by trivial. cbn [andb].
        destruct (is_nil (in_order K)) eqn:Nil.
        * destruct (in_order K); [| discriminate]. destruct roots; [reflexivity | discriminate].
        * rewrite A2, Z.eqb_refl. cbn [andb]. apply forallb_forall. intros [c j] I. cbn [fst snd].
          rewrite forallb_forall in A3. specialize (A3 (c :: W, j)). cbn [fst snd] in A3.
          rewrite map_app in A3. cbn [map fst app] in A3. apply A3.
          clear - I. revert roots I. induction (in_order K) as [| d D IHD]; intros [| i roots] I;
            simpl in *; trivial. destruct I as [E | I]; [left; congruence | right; auto].
      + cbn [later_from]. rewrite Nat2Z.inj_succ, <- Z.add_1_r in AL. rewrite AL, andb_true_r.
        apply forallb_forall. intros j I. apply Z.ltb_lt.
        specialize (A6 j (in_or_app _ _ _ (or_introl I))). lia.
      + cbn [map snd concat app]. split; [| split].
        * constructor; trivial. intros I. specialize (A6 _ I). lia.
        * cbn [length]. rewrite A5. reflexivity.
        * cbn [length]. intros j [<- | I]; [lia |]. specialize (A6 j I). lia.
      + intros x [<- | I]; cbn [fst length]; [lia |]. specialize (AI x I). lia.
      + cbn [length most_nodes]. apply (Nat.mul_le_mono_r _ _ (most_nodes b n)) in B. lia.
      + cbn [length]. congruence.
  Qed.

  Definition nodes_of (p : proof) : list (Z * list Z) :=
    match p with Disjoint _ => [] | Tree _ nodes => nodes end.
  Definition conflicts_of (p : proof) : list conflict_claim :=
    match p with Disjoint Cs => Cs | Tree Cs _ => Cs end.

  (** No more than b conflicts and nodes, each node with one of the conflicts. *)
  Definition small (b : Z) (p : proof) : bool :=
    (Z.of_nat (length (conflicts_of p)) <=? b) && (Z.of_nat (length (nodes_of p)) <=? b) &&
    forallb (fun x => (0 <=? fst x) && (fst x <? Z.of_nat (length (conflicts_of p)))) (nodes_of p).

  (** So a tree proves its bound: node 0 is the root, and each other node is led to once. *)
  Theorem tree_certified : forall b n, tree b n [] -> exists Cs nodes,
    proof_ok P l (Some (S n)) (Tree Cs nodes) = true /\
      small (Z.of_nat (most_nodes b n)) (Tree Cs nodes) = true.
  Proof.
    intros b n T.
    destruct (tree_listed b n [] T 0%nat 0%nat) as (Cs & nodes & [A1 _ A2 AL (A3 & A4 & A5) AI A6 A7]).
    exists Cs, nodes. split.
    2: { unfold small. cbn [conflicts_of nodes_of]. rewrite A7. simpl in A6.
         rewrite (proj2 (Z.leb_le _ _)) by lia. apply forallb_forall. intros x I. specialize (AI x I).
         rewrite andb_true_iff, Z.leb_le, Z.ltb_lt, <- A7. lia. }
    cbn [proof_ok]. rewrite A1.
    specialize (A2 [] [] [] [] eq_refl eq_refl). cbn [combine forallb fst snd app] in A2.
    rewrite !app_nil_r, andb_true_r in A2. simpl Z.of_nat in A2. rewrite A2, andb_true_r.
    cbn [andb]. cbn [app] in A3, A4, A5. inversion A3 as [| ? ? N0 N]; subst.
    unfold reached_once. rewrite !andb_true_iff. split; [split; [split |] |].
    - exact AL.
    - apply (distinctb_nodup _ _ Z.eqb_eq), N.
    - apply forallb_forall. intros j I. specialize (A5 j (or_intror I)). apply Z.ltb_lt. lia.
    - apply Z.eqb_eq. rewrite <- A4. cbn [length]. lia.
  Qed.

  (** So each tree of completability.md can be written so that it is accepted. *)
  Corollary closed_certified : forall n, closed P l n [] ->
    exists Cs nodes, proof_ok P l (Some (S n)) (Tree Cs nodes) = true.
  Proof.
    intros n T. destruct (tree_certified _ n (closed_tree n [] T)) as (Cs & nodes & Ok & _). eauto.
  Qed.

  (** * A tree for each lower bound *)

  Lemma may_go_nodup : NoDup (may_go P).
  Proof. apply nodup_map_filter, ups_cells, Al. Qed.

  Lemma minus_length : forall M Y, NoDup M -> NoDup Y -> incl Y M ->
    (length (minus M Y) + length Y = length M)%nat.
  Proof.
    intros M Y N D Inc. rewrite Nat.add_comm, <- app_length. apply Permutation_length, NoDup_Permutation;
      trivial.
    - apply joined_nodup; trivial; [apply NoDup_filter, N |].
      intros p I J. apply in_minus in J. tauto.
    - intros p. rewrite in_app_iff, in_minus. destruct (in_dec cell_dec p Y); [| tauto]. intuition.
  Qed.

  Lemma firstn_incl : forall A n (s : list A), incl (firstn n s) s.
  Proof.
    intros A n s x I. rewrite <- (firstn_skipn n s). apply in_or_app. left. exact I.
  Qed.

  (** Where no n more cards save, give up any n of those that are left: the rest of them is a conflict. *)
  Lemma narrow_conflict : forall n W, NoDup W -> incl W (may_go P) ->
    (forall X, saves P l X -> (n + length W < length X)%nat) ->
    exists K, conflict P l K /\ ~ meets W K /\ (length K <= length (may_go P) - (n + length W))%nat.
  Proof.
    intros n W N Inc No. set (R := minus (may_go P) W). set (Y := W ++ firstn n R).
    assert (IncR : incl R (may_go P)) by (intros p I; apply in_minus in I; apply I).
    assert (LR : (length R + length W = length (may_go P))%nat)
      by (apply minus_length; trivial; apply may_go_nodup).
    assert (NR : NoDup R) by (apply NoDup_filter, may_go_nodup).
    assert (NY : NoDup Y).
    { apply joined_nodup; trivial.
      - rewrite <- (firstn_skipn n R) in NR. apply nodup_app_parts in NR. apply NR.
      - intros p I J. apply firstn_incl in J. apply in_minus in J. tauto. }
    assert (IncY : incl Y (may_go P)).
    { intros p I. apply in_app_or in I. destruct I as [I | I]; [auto |].
      apply IncR, (firstn_incl _ n R p I). }
    assert (LY : length Y = (length W + Nat.min n (length R))%nat)
      by (unfold Y; rewrite app_length, firstn_length; reflexivity).
    destruct (what_is_left P Al l L Y IncY) as [C M].
    { intros C. specialize (No Y (conj IncY C)). lia. }
    exists (minus (may_go P) Y). split; trivial. split.
    - intros (c & I & J). apply M. exists c. split; trivial. apply in_or_app. auto.
    - pose proof (minus_length _ _ may_go_nodup NY IncY). lia.
  Qed.

  (** Of m cards that may be given up let no n save: then there is a tree whose conflicts have at most m - n
      cells. *)
  Theorem narrow_tree_exists : forall n W, NoDup W -> incl W (may_go P) ->
    (forall X, saves P l X -> (n + length W < length X)%nat) ->
    tree (length (may_go P) - (n + length W)) n W.
  Proof.
    induction n as [| n IH]; intros W N Inc No; destruct (narrow_conflict _ W N Inc No) as (K & C & M & B).
    - apply tree_leaf with K; trivial.
    - apply tree_node with K; trivial; [eapply Nat.le_trans; [apply in_order_length | exact B] |].
      intros c I. replace (S n + length W)%nat with (n + length (c :: W))%nat by (simpl; lia). apply IH.
      + constructor; trivial. intros J. apply M. exists c. auto.
      + intros p [<- | J]; [apply C, I | auto].
      + intros X S. specialize (No X S). simpl. lia.
  Qed.

  (** How many nodes and conflicts are enough for a lower bound d. *)
  Definition enough (d : nat) : nat := most_nodes (length (may_go P) - (d - 1)) (d - 1).

  (** Each lower bound that holds has a proof that is accepted. *)
  Theorem bound_certified : forall d, (forall X, saves P l X -> (d <= length X)%nat) ->
    exists p, proof_ok P l (Some d) p = true /\ small (Z.of_nat (enough d)) p = true.
  Proof.
    intros [| n] H.
    - exists (Disjoint []). split; [reflexivity |]. unfold small. cbn [conflicts_of nodes_of length forallb].
      rewrite andb_true_r, andb_true_iff, !Z.leb_le. lia.
    - unfold enough. simpl Nat.sub. rewrite Nat.sub_0_r.
      destruct (tree_certified (length (may_go P) - n) n) as (Cs & nodes & Ok).
      + replace n with (n + length (@nil cell))%nat at 1 by apply Nat.add_0_r.
        apply narrow_tree_exists; [constructor | intros p [] |].
        intros X S. specialize (H X S). simpl. lia.
      + exists (Tree Cs nodes). exact Ok.
  Qed.
End Place.

(** * Repairs *)

(** Each set of the least size that saves the tower, at each of its places, has a certificate that is
    accepted. *)
Theorem repair_certified : forall P l X, allowed P = true -> In l (places P) -> saves P l X ->
  (forall k Y, In k (places P) -> saves P k Y -> (length X <= length Y)%nat) ->
  exists m lower, accepts P (Repaired (in_order X) l m lower) = true /\
    length (in_order X) = length X /\
    forallb (fun x => small (Z.of_nat (enough P (length X))) (snd x)) lower = true.
Proof.
  intros P l X A L S Least. pose proof (in_order_saves P A l L X S) as S'.
  assert (E : length (in_order X) = length X).
  { apply Nat.le_antisymm; [apply in_order_length | apply (Least l); trivial]. }
  destruct (each_place proof P (fun k p => proof_ok P k (Some (length X)) p &&
    small (Z.of_nat (enough P (length X))) p)) as (lower & Pl & Ok).
  { intros k K. destruct (bound_certified P A k K (length X)) as (p & Ok & Small).
    - intros Y SY. apply (Least k); trivial.
    - exists p. rewrite Ok. exact Small. }
  destruct (filling_ok_complete _ (world_valid P A l (in_order X) L) (proj2 S')) as (m & F).
  rewrite forallb_forall in Ok. exists m, lower. split; [| split; trivial].
  - unfold accepts. cbn [evidence_ok]. rewrite A, Pl, F, E, (proj2 (memb_true _ _) L). unfold may_be_given_up.
    rewrite in_order_rising, (proj2 (forallb_forall _ (in_order X))); [cbn [andb] |].
    + apply forallb_forall. intros x I. specialize (Ok x I). apply andb_true_iff in Ok. apply Ok.
    + intros c I. apply among_true, S', I.
  - apply forallb_forall. intros x I. specialize (Ok x I). apply andb_true_iff in Ok. apply Ok.
Qed.

(** So has each distance. *)
Corollary distance_certified : forall P d, allowed P = true -> distance P d ->
  exists X l m lower, length X = d /\ accepts P (Repaired X l m lower) = true.
Proof.
  intros P d A ((l & X & L & S & E) & Least).
  destruct (repair_certified P l X A L S) as (m & lower & Ok & E' & _); [rewrite E; exact Least |].
  exists (in_order X), l, m, lower. split; [congruence | exact Ok].
Qed.

(** 35, 30 and 25 on e1, f1 and g1: any two of them are a conflict, so no two conflicts are disjoint, and two
    cards have to go. *)
Definition three_falling : position :=
  Position printed false true Strict Strict Numbered AnyCard
    [((6, 1), Some (Glass 25), true); ((5, 1), Some (Glass 30), true); ((4, 1), Some (Glass 35), true)]
    [] [] [] [].

Example tree_accepted :
  let e1 := (4, 1) in let f1 := (5, 1) in let g1 := (6, 1) in
  let conflicts := map (fun x => ([fst x; snd x], ByOrder (fst x) (snd x))) [(e1, f1); (e1, g1); (f1, g1)] in
  let accepted nodes := accepts three_falling
    (Repaired [e1; f1] 3 (dealt (world three_falling 3 [e1; f1])) [(3, Tree conflicts nodes)]) in
  accepted [(0, [1; 2]); (2, []); (1, [])] = true /\      (* e1 and f1; then f1 and g1, or e1 and g1 *)
  accepted [(0, [1; 2]); (1, []); (1, [])] = false /\     (* e1 was given up on the way *)
  accepted [(0, [2; 1]); (1, []); (2, [])] = true /\
  accepted [(0, [1; 1]); (2, [])] = false.
Proof. vm_compute. repeat split; reflexivity. Qed.
