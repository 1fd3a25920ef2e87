(** The numbers of certificates: certificate.md, the bounds of its first list. *)

From Coq Require Import List ZArith Lia Bool.
From Couperation Require Import Lists Cells Windows Tower Filling TowerTheorem Unseen Decide Position Repair
  Reasons Refusals TowerChecker Trees Claims.
Import ListNotations.
Open Scope Z_scope.

(** * The bounds *)

Definition within (a b x : Z) : bool := (a <=? x) && (x <=? b).

(** The columns are a to m, the levels 1 to 7. *)
Definition column_form : Z -> bool := within 0 12.
Definition cell_form (p : cell) : bool := column_form (col p) && within 1 7 (lev p).

(** "Values and the numbers in left are 1..50, above and below 0..51, distance 0..28, missing -99..99." A
    whole number has at most nine digits. *)
Definition value_form : Z -> bool := within 1 50.
Definition card_form (c : card) : bool := match c with Glass v => value_form v | Finish => true end.
Definition index_form : Z -> bool := within 0 999999999.

Definition interval_form (i : interval) : bool :=
  within 0 51 (floor i) && within 0 51 (ceiling i) && forallb cell_form (members i) &&
  forallb value_form (left i).

Definition reason_form (r : reason) : bool :=
  match r with
  | ByInterval i => interval_form i
  | ByOrder p q => cell_form p && cell_form q
  | ByGone l missing => forallb interval_form l && within (-99) 99 missing
  | FinishGone => true
  | BelowApex c => cell_form c
  end.

Definition filling_form (m : list (cell * card)) : bool :=
  forallb (fun x => cell_form (fst x) && card_form (snd x)) m.

Definition proof_form (p : proof) : bool :=
  forallb (fun c => forallb cell_form (fst c) && reason_form (snd c)) (conflicts_of p) &&
  forallb (fun x => index_form (fst x) && forallb index_form (snd x)) (nodes_of p).

Definition evidence_form (e : evidence) : bool :=
  match e with
  | Completable l m => column_form l && filling_form m
  | Deadlocked rs => forallb (fun x => column_form (fst x) && reason_form (snd x)) rs
  | Repaired X l m lower =>
    within 0 28 (Z.of_nat (length X)) && forallb cell_form X && column_form l && filling_form m &&
    forallb (fun x => column_form (fst x) && proof_form (snd x)) lower
  | BeyondRepair lower => forallb (fun x => column_form (fst x) && proof_form (snd x)) lower
  end.

Lemma within_true : forall a b x, within a b x = true <-> a <= x <= b.
Proof. intros a b x. unfold within. rewrite andb_true_iff, !Z.leb_le. tauto. Qed.

Section Printed.
  Variable P : position.
  Hypothesis Al : allowed P = true.
  Hypothesis On : on P = printed.

  Lemma place_form : forall l, In l (places P) -> 0 <= l <= 6.
  Proof.
    intros l L. unfold places in L. apply filter_In in L. destruct L as [L _]. unfold lefts in L.
    rewrite On in L. destruct (middle P); [destruct L as [<- | []] | apply in_range in L]; simpl in *; lia.
  Qed.

  Lemma place_column : forall l, In l (places P) -> column_form l = true.
  Proof. intros l L. apply place_form in L. apply within_true. lia. Qed.

  Lemma inside_form : forall l p, In l (places P) -> inside levels l p -> cell_form p = true.
  Proof.
    intros l p L I. apply place_form in L. unfold inside, levels in I. unfold cell_form, column_form.
    rewrite andb_true_iff, !within_true. lia.
  Qed.

  Lemma up_form : forall l p c, In l (places P) -> In (p, c) (ups P) -> cell_form p = true.
  Proof.
    intros l p c L I. apply (inside_form l); trivial. apply in_ups in I. unfold places in L.
    rewrite filter_In, forallb_forall in L. destruct L as [_ L]. specialize (L _ I). rewrite On in L.
    apply insideb_true, L.
  Qed.

  Lemma may_go_form : forall l p, In l (places P) -> In p (may_go P) -> cell_form p = true.
  Proof.
    intros l p L I. apply in_map_iff in I. destruct I as ([q c] & <- & I). apply filter_In in I.
    apply (up_form l q c); tauto.
  Qed.

  (** A pyramid has 28 cells. *)
  Lemma pyramid_cells : forall l, In l (places P) -> length (cells levels l) = 28%nat.
  Proof.
    intros l L. apply place_form in L.
    assert (E : l = 0 \/ l = 1 \/ l = 2 \/ l = 3 \/ l = 4 \/ l = 5 \/ l = 6) by lia.
    destruct E as [-> | [-> | [-> | [-> | [-> | [-> | ->]]]]]]; reflexivity.
  Qed.

  Lemma few_given_up : forall l X, In l (places P) -> NoDup X -> incl X (may_go P) -> (length X <= 28)%nat.
  Proof.
    intros l X L N Inc. rewrite <- (pyramid_cells l L). apply NoDup_incl_length; trivial. intros p I.
    apply in_cells. apply Inc, in_map_iff in I. destruct I as ([q c] & <- & I). apply filter_In in I.
    destruct I as [I _]. apply in_ups in I. unfold places in L. rewrite filter_In, forallb_forall in L.
    destruct L as [_ L]. specialize (L _ I). rewrite On in L. apply insideb_true, L.
  Qed.

  (** * Reasons and fillings *)

  Section World.
    Variable l : Z.
    Hypothesis L : In l (places P).
    Variable X : list cell.
    Let T := world P l X.

    Lemma world_inside : forall p, in_tower T p -> cell_form p = true.
    Proof. intros p I. unfold in_tower, T in I. cbn in I. rewrite On in I. exact (inside_form l p L I). Qed.

    Lemma world_valid_here : valid T.
    Proof. exact (world_valid P Al l X L). Qed.

    Lemma apex_here : in_tower T (apex_of T).
    Proof.
      pose proof (some_level T world_valid_here) as H. unfold in_tower, apex_of, apex, inside, col, lev.
      cbn [fst snd]. lia.
    Qed.

    Lemma world_top : top T = 51.
    Proof. unfold T. cbn. rewrite On. reflexivity. Qed.

    Lemma available_form : forall v, In v (available T) -> value_form v = true.
    Proof.
      intros v I. apply (available_numbers T world_valid_here) in I. rewrite world_top in I.
      apply within_true. lia.
    Qed.

    Lemma interval_in_form : forall numbers i, incl numbers (available T) -> interval_ok T numbers i = true ->
      ends_within T i -> interval_form i = true.
    Proof.
      intros numbers i Inc H [E1 E2]. rewrite world_top in E1, E2. unfold interval_ok in H.
      rewrite !andb_true_iff, !forallb_forall in H. destruct H as (((_ & A) & B) & _).
      unfold interval_form. rewrite !andb_true_iff, !forallb_forall, !within_true. repeat split; try lia.
      - intros p I. specialize (A p I). rewrite !andb_true_iff, among_true in A. destruct A as ((A & _) & _).
        apply in_free in A. apply world_inside, A.
      - intros v I. apply same_numbers_true in B. rewrite B in I. apply filter_In in I. apply available_form.
        apply Inc, I.
    Qed.

    Lemma bound_form : forall b, In b (bounds T) -> cell_form (at_cell b) = true.
    Proof.
      intros b I. apply world_inside. unfold bounds in I. apply in_app_or in I. destruct I as [I | I].
      - apply in_map_iff in I. destruct I as ([p v] & <- & I). apply in_fixed in I.
        apply (up_inside T world_valid_here). exact (in_map fst _ _ I).
      - apply in_apex_bound in I. destruct I as [_ ->]. destruct (btw T); exact apex_here.
    Qed.

    Lemma free_few : (length (free T) <= 28)%nat.
    Proof.
      rewrite <- (pyramid_cells l L). apply NoDup_incl_length; [apply free_nodup |]. intros p I.
      apply in_free in I. destruct I as [I _]. apply in_cells. unfold in_tower, T in I. cbn in I.
      rewrite On in I. exact I.
    Qed.

    Lemma unseen_few : (unseen T <= 51)%nat.
    Proof.
      unfold T. cbn [world unseen]. unfold allowed in Al. rewrite !andb_true_iff in Al.
      destruct Al as ((((((_ & C) & _) & _) & _) & _) & _). apply Z.leb_le in C.
      unfold game, all_cards in C. rewrite On, !app_length in C. cbn [greatest printed] in C.
      set (hidden := fun c : option card => match c with None => true | _ => false end).
      pose proof (count_at_most _ hidden (gone P)) as H. unfold count in H. destruct (variant P); lia.
    Qed.

    Lemma reason_in_form : forall stray r, (forall c, stray = Some c -> cell_form c = true) ->
      reason_ok T stray r = true -> modest T r -> reason_form r = true.
    Proof.
      intros stray r St H M.
      destruct r as [i | p q | s missing | | c]; cbn [reason_ok modest reason_form] in *.
      - apply interval_in_form with (available T); trivial. apply incl_refl.
      - unfold order_ok in H. apply andb_true_iff in H. destruct H as [_ H]. apply existsb_exists in H.
        destruct H as (b & Ib & H). apply andb_true_iff in H. destruct H as [Eb H].
        apply existsb_exists in H. destruct H as (c & Ic & H). apply andb_true_iff in H. destruct H as [Ec _].
        apply eqb_true in Eb, Ec. subst. rewrite !bound_form; trivial.
      - unfold gone_ok in H. rewrite !andb_true_iff, forallb_forall, Z.ltb_lt in H.
        destruct H as (((A & _) & _) & D). destruct M as [M1 M2]. rewrite Forall_forall in M1.
        apply andb_true_iff. split.
        + apply forallb_forall. intros i I. apply interval_in_form with (known T); auto.
          apply known_available.
        + apply within_true. pose proof free_few. pose proof unseen_few. unfold spare in M2. lia.
      - reflexivity.
      - destruct stray as [d |]; [| discriminate]. apply eqb_true in H. subst c. apply St. reflexivity.
    Qed.

    (** A filling names the free cells, the apex of F besides, and nothing else. *)
    Lemma filling_in_form : forall m, filling_ok T m = true -> filling_form m = true.
    Proof.
      intros m H. unfold filling_ok in H. rewrite !andb_true_iff, !forallb_forall, Z.eqb_eq in H.
      destruct H as (((((((((A & B) & C) & D) & E) & _) & _) & _) & _) & _).
      apply (distinctb_nodup _ _ eqb_true) in A.
      set (all := free T ++ if apex_open T then [apex_of T] else []).
      assert (Inc : incl (map fst m) all).
      { apply NoDup_length_incl.
        - unfold all. destruct (apex_open T) eqn:O; [| rewrite app_nil_r; apply free_nodup].
          apply joined_nodup; [apply free_nodup | repeat constructor; intros [] |].
          intros p I [<- | []]. unfold apex_open in O. apply andb_true_iff in O. apply in_free in I. tauto.
        - unfold all. rewrite map_length, app_length. destruct (apex_open T); simpl; lia.
        - unfold all. intros p I. apply in_app_or in I. destruct I as [I | I]; [apply among_true, B, I |].
          destruct (apex_open T); [| destruct I]. destruct I as [<- | []]. apply among_true. exact E. }
      apply forallb_forall. intros [p c] I. cbn [fst snd]. apply andb_true_iff. split.
      - apply world_inside. specialize (Inc p (in_map fst _ _ I)). apply in_app_or in Inc.
        destruct Inc as [J | J]; [apply in_free in J; apply J |].
        destruct (apex_open T); [| destruct J]. destruct J as [<- | []]. exact apex_here.
      - specialize (D _ I). cbn [fst snd] in D. destruct (_ && _); destruct c as [v |]; trivial;
          try discriminate.
        apply available_form, memb_true, D.
    Qed.
  End World.

  (** * Conflicts and proofs *)

  Lemma conflict_in_form : forall l K r, In l (places P) -> conflict_ok P l (K, r) = true ->
    exists r', conflict_ok P l (K, r') = true /\ forallb cell_form K && reason_form r' = true.
  Proof.
    intros l K r L H. pose proof (conflict_ok_sound P Al l (K, r) L H) as C. cbn [fst] in C.
    assert (R : rising_cells K = true).
    { unfold conflict_ok, may_be_given_up in H. rewrite !andb_true_iff in H. apply H. }
    destruct (conflict_certified P l K Al L C R) as (r' & Ok & M). exists r'. split; trivial.
    apply andb_true_iff. split.
    - apply forallb_forall. intros c I. apply (may_go_form l); trivial. apply C, I.
    - unfold conflict_ok in Ok. cbn [fst snd] in Ok. apply andb_true_iff in Ok. destruct Ok as [_ Ok].
      eapply reason_in_form; [exact L | | exact Ok | exact M].
      intros c E. apply astray_some in E. destruct E as [E _]. apply in_kept in E.
      exact (up_form l c Finish L (proj1 E)).
  Qed.

  Definition conflicts_form (Cs : list conflict_claim) : bool :=
    forallb (fun c => forallb cell_form (fst c) && reason_form (snd c)) Cs.

  Lemma conflicts_in_form : forall l Cs, In l (places P) -> forallb (conflict_ok P l) Cs = true ->
    exists Cs', map fst Cs' = map fst Cs /\ forallb (conflict_ok P l) Cs' = true /\ conflicts_form Cs' = true.
  Proof.
    intros l Cs L. induction Cs as [| [K r] Cs IH]; intros H; [exists []; auto |].
    cbn [forallb] in H. apply andb_true_iff in H. destruct H as [H1 H2].
    destruct (IH H2) as (Cs' & E & A & B).
    destruct (conflict_in_form l K r L H1) as (r' & A' & B'). exists ((K, r') :: Cs').
    split; [simpl; congruence |]. unfold conflicts_form in *. cbn [forallb fst snd].
    rewrite A', A, B, B'. auto.
  Qed.

  Lemma later_positive : forall nodes i j, 0 <= i -> later_from i nodes = true ->
    In j (concat (map snd nodes)) -> 0 <= j.
  Proof.
    induction nodes as [| [k branches] nodes IH]; intros i j Pos H I; [destruct I |].
    cbn [later_from] in H. apply andb_true_iff in H. destruct H as [H1 H2]. cbn [map snd concat] in I.
    apply in_app_or in I. destruct I as [I | I].
    - rewrite forallb_forall in H1. specialize (H1 j I). apply Z.ltb_lt in H1. lia.
    - apply (IH (i + 1)); trivial. lia.
  Qed.

  Lemma proof_in_form : forall l d p, In l (places P) -> proof_ok P l d p = true ->
    small 999999999 p = true -> exists p', proof_ok P l d p' = true /\ proof_form p' = true.
  Proof.
    intros l d p L H S. unfold small in S. rewrite !andb_true_iff, !Z.leb_le, forallb_forall in S.
    destruct p as [Cs | Cs nodes]; cbn [proof_ok conflicts_of nodes_of] in *; apply andb_true_iff in H;
      destruct H as [C H]; destruct (conflicts_in_form l Cs L C) as (Cs' & E & A & B).
    - exists (Disjoint Cs'). cbn [proof_ok]. rewrite E, A, H. split; [reflexivity |].
      unfold proof_form, conflicts_form in *. cbn [conflicts_of nodes_of]. rewrite B. reflexivity.
    - exists (Tree Cs' nodes). cbn [proof_ok]. rewrite E, A, H. split; [reflexivity |].
      unfold proof_form, conflicts_form in *. cbn [conflicts_of nodes_of]. rewrite B. cbn [andb].
      destruct d as [[| n] |]; try discriminate. apply andb_true_iff in H. destruct H as [H _].
      unfold reached_once in H. rewrite !andb_true_iff in H. destruct H as (((La & _) & R) & _).
      rewrite forallb_forall in R. apply forallb_forall. intros [k bs] I. cbn [fst snd].
      apply andb_true_iff. destruct S as ((S1 & S2) & S3). split.
      + apply within_true. specialize (S3 _ I). rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in S3.
        cbn [fst] in S3. lia.
      + apply forallb_forall. intros j J. apply within_true.
        assert (Q : In j (concat (map snd nodes))) by (apply in_concat; exists bs; split; trivial;
          exact (in_map snd _ _ I)).
        pose proof (later_positive nodes 0 j (Z.le_refl 0) La Q). specialize (R j Q).
        apply Z.ltb_lt in R. lia.
  Qed.

  Lemma lower_in_form : forall d lower, all_places P lower = true ->
    forallb (fun x => proof_ok P (fst x) d (snd x)) lower = true ->
    forallb (fun x => small 999999999 (snd x)) lower = true ->
    exists lower', all_places P lower' = true /\
      forallb (fun x => proof_ok P (fst x) d (snd x)) lower' = true /\
      forallb (fun x => column_form (fst x) && proof_form (snd x)) lower' = true.
  Proof.
    intros d lower Pl H S. rewrite forallb_forall in H, S.
    destruct (each_place proof P (fun l p => proof_ok P l d p && proof_form p)) as (lower' & Pl' & H').
    { intros l L. destruct (all_places_in P _ lower l Pl L) as (p & I).
      destruct (proof_in_form l d p L (H _ I) (S _ I)) as (p' & A & B). exists p'. rewrite A. exact B. }
    rewrite forallb_forall in H'. exists lower'. split; [trivial |].
    split; apply forallb_forall; intros x I; specialize (H' x I); apply andb_true_iff in H'; [apply H' |].
    rewrite place_column; [apply H' |]. apply same_numbers_true in Pl'. rewrite <- Pl'. apply in_map, I.
  Qed.
End Printed.

(** * Certificates *)

(** Trees of no more than 999,999,999 conflicts and nodes. *)
Definition trees_small (e : evidence) : bool :=
  match e with Repaired _ _ _ lower => forallb (fun x => small 999999999 (snd x)) lower | _ => true end.

(** Where a certificate is accepted, one is whose numbers are within the bounds: of the same claim, the same
    cards given up and the same filling. *)
Theorem accepted_in_form : forall P e, on P = printed -> accepts P e = true -> trees_small e = true ->
  exists e', accepts P e' = true /\ evidence_form e' = true /\
    match e, e' with
    | Completable l m, Completable l' m' => l = l' /\ m = m'
    | Repaired X l m _, Repaired X' l' m' _ => X = X' /\ l = l' /\ m = m'
    | _, _ => claim_of e = claim_of e'
    end.
Proof.
  intros P e On H S. assert (C := accepts_sound P e H). unfold accepts in H. apply andb_true_iff in H.
  destruct H as [A H].
  destruct e as [l m | rs | X l m lower | lower]; cbn [evidence_ok trees_small claims] in *.
  - exists (Completable l m). unfold accepts. cbn [evidence_ok evidence_form]. rewrite A, H.
    split; [reflexivity |]. split; [| auto]. apply andb_true_iff in H. destruct H as [L F].
    apply memb_true in L. rewrite (place_column P On l L). exact (filling_in_form P A On l L [] m F).
  - destruct (each_place reason P (fun l r => reason_ok (standing P l) (astray P l []) r && reason_form r))
      as (rs' & E & F).
    { intros l L. destruct (refusal_certified P l A L (C l L)) as (r & R & M). exists r. rewrite R.
      eapply reason_in_form; [exact A | exact On | exact L | | exact R | exact M].
      intros c I. apply astray_some in I. destruct I as [I _]. apply in_kept in I.
      exact (up_form P On l c Finish L (proj1 I)). }
    exists (Deadlocked rs'). rewrite forallb_forall in F. unfold accepts. cbn [evidence_ok evidence_form].
    rewrite A, E. cbn [andb]. split; [| split; [| reflexivity]]; apply forallb_forall; intros x I;
      specialize (F x I); apply andb_true_iff in F; [apply F |].
    rewrite (place_column P On); [apply F |]. apply same_numbers_true in E. rewrite <- E. apply in_map, I.
  - rewrite !andb_true_iff in H. destruct H as ((((L & Pl) & M) & F) & Ok).
    destruct (lower_in_form P A On _ lower Pl Ok S) as (lower' & Pl' & Ok' & Fo).
    exists (Repaired X l m lower'). unfold accepts. cbn [evidence_ok evidence_form].
    rewrite A, L, Pl', M, F, Ok', Fo. split; [reflexivity |]. split; [| auto]. apply memb_true in L.
    rewrite (place_column P On l L), (filling_in_form P A On l L X m F), !andb_true_r.
    pose proof (may_be_given_up_incl P X M) as Inc. apply andb_true_iff. split.
    + unfold may_be_given_up in M. apply andb_true_iff in M. destruct M as [M _].
      pose proof (few_given_up P On l X L (rising_cells_nodup X M) Inc). apply within_true. lia.
    + apply forallb_forall. intros c I. exact (may_go_form P On l c L (Inc c I)).
  - apply andb_true_iff in H. destruct H as [Pl Ok].
    destruct (lower_in_form P A On None lower Pl Ok) as (lower' & Pl' & Ok' & Fo).
    { apply forallb_forall. intros x I. rewrite forallb_forall in Ok. specialize (Ok x I).
      unfold proof_ok in Ok. destruct (snd x) as [Cs | Cs nodes]; apply andb_true_iff in Ok;
        [| destruct Ok; discriminate].
      destruct Ok as [_ Ok]. destruct Cs as [| c [| c' Cs]]; try reflexivity. cbn [map] in Ok.
      destruct (fst c); discriminate. }
    exists (BeyondRepair lower'). unfold accepts. cbn [evidence_ok evidence_form]. rewrite A, Pl', Ok', Fo.
    auto.
Qed.

(** How many nodes are enough, where d is no more than 7. *)
Lemma most_nodes_le : forall b n c k, (b <= c)%nat -> (n <= k)%nat -> (most_nodes b n <= most_nodes c k)%nat.
Proof.
  intros b n c. revert n. induction n as [| n IH]; intros k B N; [apply most_nodes_some |].
  destruct k as [| k]; [lia |]. cbn [most_nodes]. specialize (IH k B ltac:(lia)).
  apply le_n_S, Nat.mul_le_mono; trivial.
Qed.

Lemma most_nodes_next : forall b n,
  Z.of_nat (most_nodes b (S n)) = 1 + Z.of_nat b * Z.of_nat (most_nodes b n).
Proof. intros b n. cbn [most_nodes]. lia. Qed.

Lemma enough_to_seven : forall P d, allowed P = true -> on P = printed -> (d <= 7)%nat ->
  Z.of_nat (enough P d) <= 999999999.
Proof.
  intros P d A On D.
  assert (M : (length (may_go P) <= 28)%nat).
  { assert (A' := A). unfold allowed in A'. apply andb_true_iff in A'. destruct A' as [_ A'].
    destruct (places P) as [| l ls] eqn:L; [discriminate |].
    apply (few_given_up P On l); [rewrite L; left; trivial | apply may_go_nodup, A | apply incl_refl]. }
  unfold enough. eapply Z.le_trans.
  - apply inj_le, most_nodes_le with (c := (28 - (d - 1))%nat) (k := (d - 1)%nat); lia.
  - clear - D.
    do 8 (destruct d as [| d]; [simpl Nat.sub; rewrite ?most_nodes_next; vm_compute; discriminate |]). lia.
Qed.

(** Every claim that is so has a certificate that is accepted and whose numbers are within the bounds, but for
    repairs whose trees need more than 999,999,999 nodes. *)
Theorem certified_in_form : forall P c, allowed P = true -> on P = printed -> is_so P c ->
  (forall d, c = HasDistance d -> Z.of_nat (enough P d) <= 999999999) ->
  exists e, claim_of e = c /\ accepts P e = true /\ evidence_form e = true.
Proof.
  intros P c A On C Few.
  assert (H : exists e, claim_of e = c /\ accepts P e = true /\ trees_small e = true).
  { destruct (proj2 (certified_iff P c A) C) as (e & E & Ok).
    destruct c as [| | d |]; try (exists e; destruct e; try discriminate; auto; fail).
    destruct C as ((l & X & L & S & <-) & Least).
    destruct (repair_certified P l X A L S Least) as (m & lower & Ok' & E' & Sm).
    exists (Repaired (in_order X) l m lower). split; [cbn [claim_of]; congruence |]. split; [trivial |].
    cbn [trees_small]. rewrite forallb_forall in Sm. apply forallb_forall. intros x I. specialize (Sm x I).
    specialize (Few _ eq_refl). unfold small in *. rewrite !andb_true_iff, !Z.leb_le in *.
    destruct Sm as ((S1 & S2) & S3). repeat split; trivial; lia. }
  destruct H as (e & <- & Ok & Sm). destruct (accepted_in_form P e On Ok Sm) as (e' & Ok' & Fo & Same).
  exists e'. split; [| auto]. destruct e, e'; try discriminate; try destruct Same as (-> & _); trivial.
Qed.

(** A certificate within the bounds, and one whose interval ends at 52. *)
Example out_of_order_form :
  let filling := dealt (world out_of_order 3 [(5, 1)]) in
  let proof c := Disjoint [([(5, 1)], ByInterval (Interval 0 c [] []))] in
  evidence_form (Repaired [(5, 1)] 3 filling [(3, proof 51)]) = true /\
  evidence_form (Repaired [(5, 1)] 3 filling [(3, proof 52)]) = false.
Proof. vm_compute. split; reflexivity. Qed.
