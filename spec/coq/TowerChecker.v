(** The checker of certificates on towers: certificate.md, "Claims". *)

From Coq Require Import List ZArith Lia Bool Sorted Permutation.
From Couperation Require Import Lists Cells Windows EarliestDeadline Tower Filling TowerTheorem Decide
  Position Repair Reasons.
From Couperation Require Import Refusals.
Import ListNotations.
Open Scope Z_scope.

(** * What a certificate says *)

(** A conflict is cells and a reason; a tree is conflicts, and nodes that name a conflict and nodes below. *)
Definition conflict_claim : Type := list cell * reason.
Inductive proof :=
  | Disjoint (conflicts : list conflict_claim)
  | Tree (conflicts : list conflict_claim) (nodes : list (Z * list Z)).

Inductive evidence :=
  | Completable (column : Z) (filling : list (cell * card))
  | Deadlocked (reasons : list (Z * reason))
  | Repaired (give_up : list cell) (column : Z) (filling : list (cell * card)) (lower : list (Z * proof))
  | BeyondRepair (lower : list (Z * proof)).

(** What each claims. The distance of a repair is the length of its list of cells. *)
Definition claims (P : position) (e : evidence) : Prop :=
  match e with
  | Completable _ _ => exists l, In l (places P) /\ completable (standing P l)
  | Deadlocked _ => forall l, In l (places P) -> ~ completable (standing P l)
  | Repaired give_up _ _ _ => distance P (length give_up)
  | BeyondRepair _ => beyond_repair P
  end.

(** * Tests *)

(** The cells where F lies up off the apex of the place: one at most. *)
Definition strays (P : position) (l : Z) : list cell :=
  map fst (filter (fun x => card_eqb (snd x) Finish && negb (eqb (fst x) (apex (rows (on P)) l))) (ups P)).

(** That cell, where F was not given up. *)
Definition astray (P : position) (l : Z) (X : list cell) : option cell :=
  match minus (strays P l) X with c :: _ => Some c | [] => None end.

(** "Distinct up cards that may be given up, rising by column, then level." *)
Fixpoint rising_cells (l : list cell) : bool :=
  match l with
  | p :: (q :: _) as l' => ((col p <? col q) || (col p =? col q) && (lev p <? lev q)) && rising_cells l'
  | _ => true
  end.

Definition may_be_given_up (P : position) (K : list cell) : bool :=
  rising_cells K && forallb (fun c => among c (may_go P)) K.

(** "R holds at that place in the world where every up card that may be given up, apart from these, is given
    up." "A Finish card off the apex counts as given up in every world of a repair." *)
Definition conflict_ok (P : position) (l : Z) (c : conflict_claim) : bool :=
  let X := minus (may_go P) (fst c) in
  may_be_given_up P (fst c) && reason_ok (world P l (X ++ strays P l)) (astray P l X) (snd c).

Definition member {A} (l : list A) (i : Z) : option A :=
  if (0 <=? i) && (i <? Z.of_nat (length l)) then nth_error l (Z.to_nat i) else None.

Definition is_nil {A} (l : list A) : bool := match l with [] => true | _ => false end.

(** "A node stands for the cards given up on the way to it, none of which is in its conflict. A node at depth
    d - 1, or one whose conflict has no cells, has no branches; any other has one for each cell of its
    conflict, in their order." Here n more cards may be given up. *)
Fixpoint walk (Ks : list (list cell)) (nodes : list (Z * list Z)) (n : nat) (way : list cell) (i : Z) : bool
  :=
  match member nodes i with
  | None => false
  | Some (k, branches) =>
    match member Ks k with
    | None => false
    | Some K =>
      forallb (fun c => negb (among c K)) way &&
      match n with
      | O => is_nil branches
      | S n =>
        if is_nil K then is_nil branches
        else (Z.of_nat (length branches) =? Z.of_nat (length K)) &&
          forallb (fun x => walk Ks nodes n (fst x :: way) (snd x)) (combine K branches)
      end
    end
  end.

(** "Each leading to a later node of the list." *)
Fixpoint later_from (i : Z) (nodes : list (Z * list Z)) : bool :=
  match nodes with
  | [] => true
  | (_, branches) :: nodes => forallb (Z.ltb i) branches && later_from (i + 1) nodes
  end.

(** "That no other branch leads to. Every node is reached": each but the root is led to, from an earlier
    one. *)
Definition reached_once (nodes : list (Z * list Z)) : bool :=
  let targets := concat (map snd nodes) in
  later_from 0 nodes && distinctb Z.eqb targets && forallb (fun j => j <? Z.of_nat (length nodes)) targets &&
  (Z.of_nat (length targets) + 1 =? Z.of_nat (length nodes)).

(** A proof that fewer than d cards will not do; [None] for a tower that no card saves. *)
Definition proof_ok (P : position) (l : Z) (d : option nat) (p : proof) : bool :=
  match p with
  | Disjoint Cs =>
    let Ks := map fst Cs in
    let empty := match Ks with [[]] => true | _ => false end in
    forallb (conflict_ok P l) Cs &&
    match d with
    | Some O => is_nil Ks
    | Some d => (Z.of_nat d <=? Z.of_nat (length Ks)) && distinctb eqb (concat Ks) || empty
    | None => empty
    end
  | Tree Cs nodes =>
    forallb (conflict_ok P l) Cs &&
    match d with
    | Some (S n) => reached_once nodes && walk (map fst Cs) nodes n [] 0
    | _ => false
    end
  end.

(** "Every place exactly once, from left to right." *)
Definition all_places {A} (P : position) (l : list (Z * A)) : bool := same_numbers (map fst l) (places P).

Definition evidence_ok (P : position) (e : evidence) : bool :=
  match e with
  | Completable l m => memb l (places P) && filling_ok (standing P l) m
  | Deadlocked rs => all_places P rs && forallb
      (fun x => reason_ok (standing P (fst x)) (astray P (fst x) []) (snd x)) rs
  | Repaired X l m lower =>
    memb l (places P) && all_places P lower && may_be_given_up P X && filling_ok (world P l X) m &&
    forallb (fun x => proof_ok P (fst x) (Some (length X)) (snd x)) lower
  | BeyondRepair lower => all_places P lower && forallb (fun x => proof_ok P (fst x) None (snd x)) lower
  end.

Definition accepts (P : position) (e : evidence) : bool := allowed P && evidence_ok P e.

(** * What is accepted is so *)

Lemma in_strays : forall P l c, In c (strays P l) <-> In (c, Finish) (ups P) /\ c <> apex (rows (on P)) l.
Proof.
  intros P l c. unfold strays. rewrite in_map_iff. split.
  - intros ([p d] & <- & I). apply filter_In in I. simpl in *. destruct I as [I J].
    apply andb_true_iff in J. rewrite negb_true_iff in J. destruct J as [J K]. apply card_eqb_true in J.
    subst d.
    split; trivial. intros E. apply eqb_true in E. congruence.
  - intros [I N]. exists (c, Finish). split; trivial. apply filter_In. split; trivial. simpl.
    destruct (eqb_spec c (apex (rows (on P)) l)); [congruence | reflexivity].
Qed.

Lemma astray_some : forall P l X c, astray P l X = Some c -> In (c, Finish) (kept P X) /\
  c <> apex (rows (on P)) l.
Proof.
  intros P l X c H. unfold astray in H. destruct (minus (strays P l) X) as [| d M] eqn:E; [discriminate |].
  injection H as ->. assert (I : In c (minus (strays P l) X)) by (rewrite E; left; trivial).
  apply in_minus in I. destruct I as [I J]. apply in_strays in I. destruct I as [I N].
  split; [apply in_kept; auto | trivial].
Qed.

Lemma astray_stray : forall P l X c, astray P l X = Some c -> stray (world P l X) c.
Proof. intros P l X c H. apply astray_some in H. exact H. Qed.

Lemma may_be_given_up_incl : forall P K, may_be_given_up P K = true -> incl K (may_go P).
Proof.
  intros P K H p I. unfold may_be_given_up in H. apply andb_true_iff in H. destruct H as [_ H].
  rewrite forallb_forall in H. apply among_true, H, I.
Qed.

Lemma rising_cells_nodup : forall l, rising_cells l = true -> NoDup l.
Proof.
  intros l H. assert (S : StronglySorted (fun p q => col p < col q \/ col p = col q /\ lev p < lev q) l).
  { induction l as [| p l IH]; [constructor |]. destruct l as [| q l]; [repeat constructor |].
    change (rising_cells (p :: q :: l)) with
      (((col p <? col q) || (col p =? col q) && (lev p <? lev q)) && rising_cells (q :: l)) in H.
    apply andb_true_iff in H. destruct H as [A B]. specialize (IH B). constructor; trivial.
    rewrite orb_true_iff, andb_true_iff, !Z.ltb_lt, Z.eqb_eq in A. constructor; [lia |].
    inversion IH as [| ? ? _ F]; subst. rewrite Forall_forall in *. intros r I. specialize (F r I).
    simpl in F. lia. }
  apply (sorted_nodup _ _ l) in S; trivial. intros p. lia.
Qed.

Section Sound.
  Variable P : position.
  Hypothesis Al : allowed P = true.

  (** A conflict that passes is a conflict. *)
  Lemma conflict_ok_sound : forall l c, In l (places P) -> conflict_ok P l c = true -> conflict P l (fst c).
  Proof.
    intros l [K r] L H. unfold conflict_ok in H. cbn [fst snd] in *. apply andb_true_iff in H.
    destruct H as [M R].
    split; [apply may_be_given_up_incl, M |]. intros C. set (X := minus (may_go P) K) in *.
    destruct (astray P l X) as [c |] eqn:A.
    - (* F stays off the apex *)
      apply astray_stray in A. apply (completable_iff_filling _ (world_valid P Al l X L)) in C.
      destruct C as (NS & _). exact (NS c A).
    - apply (reason_ok_sound (world P l (X ++ strays P l)) None r); trivial;
        [apply world_valid; trivial | discriminate |].
      apply (giving_up_more P Al l L X); trivial. intros p I. apply in_or_app. auto.
  Qed.

  Lemma conflicts_sound : forall l Cs, In l (places P) -> forallb (conflict_ok P l) Cs = true ->
    Forall (conflict P l) (map fst Cs).
  Proof.
    intros l Cs L H. rewrite forallb_forall in H. apply Forall_forall. intros K I.
    apply in_map_iff in I. destruct I as (c & <- & I). apply conflict_ok_sound; auto.
  Qed.

  Lemma member_in : forall A (l : list A) i x, member l i = Some x -> In x l.
  Proof.
    intros A l i x H. unfold member in H. destruct (_ && _); [| discriminate]. eapply nth_error_In, H.
  Qed.

  Lemma combine_left : forall A B (l : list A) (m : list B) x, length m = length l -> In x l ->
    exists y, In (x, y) (combine l m).
  Proof.
    intros A B l. induction l as [| a l IH]; intros [| b m] x E I; simpl in *; try discriminate;
      [destruct I |].
    destruct I as [<- | I]; [exists b; auto |]. destruct (IH m x) as (y & J); [congruence | trivial |]. eauto.
  Qed.

  (** A tree that passes leaves nothing open. *)
  Lemma walk_closed : forall l Ks nodes, Forall (conflict P l) Ks ->
    forall n way i, walk Ks nodes n way i = true -> closed P l n way.
  Proof.
    intros l Ks nodes C. induction n as [| n IH]; intros way i H; cbn [walk] in H;
      (destruct (member nodes i) as [[k branches] |]; [| discriminate]);
      (destruct (member Ks k) as [K |] eqn:EK; [| discriminate]);
      apply member_in in EK; rewrite Forall_forall in C; specialize (C K EK);
      apply andb_true_iff in H; destruct H as [W H];
      assert (NM : ~ meets way K) by (rewrite forallb_forall in W; intros (c & I & J); specialize (W c I);
        apply among_true in J; rewrite J in W; discriminate).
    - apply closed_leaf with K; trivial.
    - destruct K as [| c K]; [apply closed_empty, C |]. cbn [is_nil] in H. apply andb_true_iff in H.
      destruct H as [Len H]. apply Z.eqb_eq in Len. rewrite forallb_forall in H.
      apply closed_node with (c :: K); trivial. intros p I.
      destruct (combine_left _ _ (c :: K) branches p ltac:(lia) I) as (j & J).
      exact (IH _ _ (H _ J)).
  Qed.

  Lemma proof_ok_some : forall l d p X, In l (places P) -> proof_ok P l (Some d) p = true -> saves P l X ->
    (d <= length X)%nat.
  Proof.
    intros l d p X L H S. destruct p as [Cs | Cs nodes]; cbn [proof_ok] in H; apply andb_true_iff in H;
      destruct H as [C H]; apply (conflicts_sound l Cs L) in C.
    - destruct d as [| d]; [apply Nat.le_0_l |]. apply orb_true_iff in H. destruct H as [H | H].
      + apply andb_true_iff in H. destruct H as [D N]. apply Z.leb_le in D.
        apply (distinctb_nodup _ _ eqb_true) in N.
        pose proof (disjoint_bound P Al l L (map fst Cs) X C N S). lia.
      + destruct (map fst Cs) as [| [| c K] [| K' Ks]]; try discriminate.
        inversion C as [| ? ? C1 _]; subst. destruct (proj1 (null_iff P Al l L) C1 X S).
    - destruct d as [| n]; [discriminate |]. apply andb_true_iff in H. destruct H as [_ H].
      apply (walk_closed l (map fst Cs) nodes C) in H. exact (tree_bound_root P Al l L n X H S).
  Qed.

  Lemma proof_ok_none : forall l p X, In l (places P) -> proof_ok P l None p = true -> ~ saves P l X.
  Proof.
    intros l p X L H. destruct p as [Cs | Cs nodes]; cbn [proof_ok] in H; apply andb_true_iff in H;
      destruct H as [C H]; [| discriminate]. apply (conflicts_sound l Cs L) in C.
    destruct (map fst Cs) as [| [| c K] [| K' Ks]]; try discriminate.
    inversion C as [| ? ? C1 _]; subst. apply (null_iff P Al l L), C1.
  Qed.

  Lemma all_places_in : forall A (r : list (Z * A)) l, all_places P r = true -> In l (places P) ->
    exists x, In (l, x) r.
  Proof.
    intros A r l H L. apply same_numbers_true in H. rewrite <- H in L. apply in_map_iff in L.
    destruct L as ([k x] & <- & I). eauto.
  Qed.

  Theorem evidence_ok_sound : forall e, evidence_ok P e = true -> claims P e.
  Proof.
    intros [l m | rs | X l m lower | lower] H; cbn [evidence_ok claims] in *.
    - apply andb_true_iff in H. destruct H as [L H]. apply memb_true in L. exists l. split; trivial.
      apply (filling_ok_sound _ m (world_valid P Al l [] L) H).
    - apply andb_true_iff in H. destruct H as [A H]. rewrite forallb_forall in H. intros l L.
      destruct (all_places_in _ rs l A L) as (r & I). specialize (H _ I). cbn [fst snd] in H.
      apply (reason_ok_sound (standing P l) (astray P l []) r); trivial; [apply world_valid; trivial |].
      intros c. apply astray_stray.
    - rewrite !andb_true_iff, forallb_forall in H. destruct H as ((((L & A) & M) & F) & H).
      apply memb_true in L. split.
      + exists l, X. split; trivial. split; trivial. split; [apply may_be_given_up_incl, M |].
        apply (filling_ok_sound _ m (world_valid P Al l X L) F).
      + intros k Y K S. destruct (all_places_in _ lower k A K) as (p & I). specialize (H _ I).
        cbn [fst snd] in H.
        exact (proof_ok_some k _ p Y K H S).
    - apply andb_true_iff in H. destruct H as [A H]. rewrite forallb_forall in H. intros l X L.
      destruct (all_places_in _ lower l A L) as (p & I). specialize (H _ I). cbn [fst snd] in H.
      exact (proof_ok_none l p X L H).
  Qed.
End Sound.

(** What the checker accepts is so. *)
Theorem accepts_sound : forall P e, accepts P e = true -> claims P e.
Proof.
  intros P e H. unfold accepts in H. apply andb_true_iff in H. destruct H as [A H].
  exact (evidence_ok_sound P A e H).
Qed.

(** * What is so can be certified *)

(** Of an allowed position, its tower can be completed or not, and a certificate of that is accepted. *)
Theorem completable_certified : forall P, allowed P = true ->
  (exists l, In l (places P) /\ completable (standing P l)) -> exists l m, accepts P (Completable l m) = true.
Proof.
  intros P A (l & L & C). destruct (filling_ok_complete _ (world_valid P A l [] L) C) as (m & F).
  exists l, m. unfold accepts. rewrite A. cbn [evidence_ok andb]. unfold standing. rewrite F, andb_true_r.
  apply memb_true, L.
Qed.

(** Something that is right at each place, place by place. *)
Lemma each_place : forall A P (right : Z -> A -> bool),
  (forall l, In l (places P) -> exists x, right l x = true) ->
  exists r, all_places P r = true /\ forallb (fun x => right (fst x) (snd x)) r = true.
Proof.
  intros A P right H.
  assert (G : forall ls, incl ls (places P) -> exists r, map fst r = ls /\
    forallb (fun x => right (fst x) (snd x)) r = true).
  { induction ls as [| l ls IH]; intros Inc; [exists []; auto |].
    destruct IH as (r & E & F); [intros k K; apply Inc; right; trivial |].
    destruct (H l (Inc l (or_introl eq_refl))) as (x & R).
    exists ((l, x) :: r). simpl. rewrite R, F, E. auto. }
  destruct (G (places P) (incl_refl _)) as (r & E & F). exists r. split; trivial.
  apply same_numbers_true, E.
Qed.

(** A place where the tower cannot be completed as it stands has a reason. *)
Lemma refusal_certified : forall P l, allowed P = true -> In l (places P) -> ~ completable (standing P l) ->
  exists r, reason_ok (standing P l) (astray P l []) r = true /\ modest (standing P l) r.
Proof.
  intros P l A L N. apply (reason_ok_complete _ (astray P l []) (world_valid P A l [] L)); trivial.
  intros c [I X]. apply in_kept in I. destruct I as [I _]. unfold astray.
  destruct (minus (strays P l) []) as [| d M] eqn:EM; [exfalso | eauto].
  assert (J : In c (minus (strays P l) [])) by (apply in_minus; split; [apply in_strays; auto | intros []]).
  rewrite EM in J. destruct J.
Qed.

Theorem deadlock_certified : forall P, allowed P = true ->
  (forall l, In l (places P) -> ~ completable (standing P l)) -> exists rs, accepts P (Deadlocked rs) = true.
Proof.
  intros P A N.
  destruct (each_place reason P (fun l => reason_ok (standing P l) (astray P l []))) as (rs & E & F).
  { intros l L. destruct (refusal_certified P l A L (N l L)) as (r & R & _). eauto. }
  exists rs. unfold accepts. rewrite A. simpl. rewrite E. exact F.
Qed.

(** A conflict has a reason that is accepted. *)
Theorem conflict_certified : forall P l K, allowed P = true -> In l (places P) -> conflict P l K ->
  rising_cells K = true ->
  exists r, conflict_ok P l (K, r) = true /\ modest (world P l (minus (may_go P) K ++ strays P l)) r.
Proof.
  intros P l K A L [Inc C] R. unfold conflict_ok, may_be_given_up. cbn [fst snd]. rewrite R.
  rewrite (proj2 (forallb_forall _ K)) by (intros c I; apply among_true, Inc, I). cbn [andb].
  set (X := minus (may_go P) K) in *. pose proof (world_valid P A l (X ++ strays P l) L) as V.
  destruct (astray P l X) as [c |] eqn:S; 
    [exists (BelowApex c); split; [apply eqb_true; reflexivity | exact Logic.I] |].
  assert (None_left : forall c, In c (strays P l) -> In c X).
  { intros c I. destruct (in_dec cell_dec c X) as [| N]; trivial. exfalso. unfold astray in S.
    assert (J : In c (minus (strays P l) X)) by (apply in_minus; auto).
    destruct (minus (strays P l) X); [destruct J | discriminate]. }
  apply (reason_ok_complete (world P l (X ++ strays P l)) None V).
  - intros c [I N]. exfalso. apply in_kept in I. destruct I as [I J]. apply J, in_or_app. right.
    apply in_strays. auto.
  - intros D. apply C. revert D. apply (giving_up_more P A l L). intros c I. apply in_app_or in I.
    destruct I; auto.
Qed.

(** A tower beyond repair has a certificate of that. *)
Theorem beyond_repair_certified : forall P, allowed P = true -> beyond_repair P ->
  exists lower, accepts P (BeyondRepair lower) = true.
Proof.
  intros P A B. destruct (each_place proof P (fun l => proof_ok P l None)) as (lower & E & F).
  { intros l L. destruct (conflict_certified P l [] A L) as (r & R & _); [| reflexivity |].
    - apply (null_iff P A l L). intros X. apply B, L.
    - exists (Disjoint [([], r)]). simpl. rewrite R. reflexivity. }
  exists lower. unfold accepts. rewrite A. simpl. rewrite E. exact F.
Qed.

(** * Examples *)

(** 30 on f1 beside 25 on g1: the tower is deadlocked, and one card has to go. *)
Example deadlocked_accepted : accepts out_of_order (Deadlocked [(3, ByOrder (5, 1) (6, 1))]) = true.
Proof. vm_compute. reflexivity. Qed.

(** The filling that earliest deadline first deals out. *)
Definition dealt (T : tower) : list (cell * card) :=
  match deal T (available T) with Some m => map (fun x => (fst x, Glass (snd x))) m | None => [] end.

Example repair_accepted :
  let conflicts := [([(5, 1)], ByOrder (5, 1) (6, 1))] in
  let filling := dealt (world out_of_order 3 [(5, 1)]) in
  accepts out_of_order (Repaired [(5, 1)] 3 filling [(3, Disjoint conflicts)]) = true /\
  accepts out_of_order (Repaired [(5, 1)] 3 filling [(3, Tree conflicts [(0, [])])]) = true /\
  accepts out_of_order (Repaired [(5, 1)] 3 filling [(3, Disjoint [])]) = false /\
  accepts out_of_order (Repaired [(5, 1)] 3 filling
    [(3, Tree conflicts [(0, []); (0, [2]); (0, [1])])]) = false.      (* nodes that are not reached *)
Proof. vm_compute. repeat split; reflexivity. Qed.

Example completable_accepted :
  accepts set_up (Completable 3 (dealt (standing set_up 3))) = true /\
  accepts set_up (Completable 7 (dealt (standing set_up 3))) = false.
Proof. vm_compute. repeat split; reflexivity. Qed.
