(** The clauses and the fillings of completability.md say the same of a tower. *)

From Coq Require Import List ZArith Lia Bool Sorted Permutation Relations.
From Couperation Require Import Lists Cells Windows EarliestDeadline Tower.
Import ListNotations.
Open Scope Z_scope.

(** * Fixed and free cells *)

Lemma in_fixed : forall T p v, In (p, v) (fixed T) <-> In (p, Glass v) (up T).
Proof.
  intros T p v. unfold fixed. rewrite in_flat_map. split.
  - intros ([q [w |]] & I & J); simpl in J; [destruct J as [E | []]; injection E as -> ->;
      trivial | destruct J].
  - intros I. exists (p, Glass v). simpl. auto.
Qed.

Lemma in_free : forall T p, In p (free T) <-> in_tower T p /\ ~ laid_up T p /\
  (finish T = true -> p <> apex_of T).
Proof.
  intros T p. unfold free, cells_of. rewrite filter_In, in_cells, andb_true_iff, !negb_true_iff.
  unfold laid_up. rewrite <- among_true. destruct (among p (map fst (up T))), (finish T),
    (eqb_spec p (apex_of T));
    simpl; intuition congruence.
Qed.

Lemma free_nodup : forall T, NoDup (free T).
Proof. intros T. apply NoDup_filter, cells_nodup. Qed.

Lemma free_sorted : forall T, StronglySorted earlier (free T).
Proof. intros T. apply sorted_filter, cells_sorted. Qed.

(** The cells that have a Glass card in the end. *)
Definition plain (T : tower) (p : cell) : Prop := in_tower T p /\ (finish T = true -> p <> apex_of T).

Definition no_stray (T : tower) : Prop := forall p, ~ stray T p.

Lemma laid_up_cases : forall T p, laid_up T p -> (exists v, In (p, v) (fixed T)) \/ In (p, Finish) (up T).
Proof.
  intros T p U. apply in_map_iff in U. destruct U as ([q [v |]] & <- & U); simpl.
  - left. exists v. apply in_fixed, U.
  - right. trivial.
Qed.

(** Without a stray F every such cell is fixed or free. *)
Lemma plain_cases : forall T p, valid T -> no_stray T -> plain T p ->
  In p (free T) \/ exists v, In (p, v) (fixed T).
Proof.
  intros T p V NS [I N]. destruct (in_dec cell_dec p (map fst (up T))) as [U | U];
    [right | left; apply in_free; auto].
  destruct (laid_up_cases T p U) as [F | F]; trivial.
  exfalso. apply (NS p). split; trivial. apply N, (up_finish T V p F).
Qed.

(** A cell has one card. *)
Lemma up_unique : forall T p c d, valid T -> In (p, c) (up T) -> In (p, d) (up T) -> c = d.
Proof.
  intros T p c d V. pose proof (up_cells T V) as N. induction (up T) as [| [q e] l IH]; [intros [] |].
  simpl in N. inversion N as [| ? ? Q N']; subst. intros [E | I] [F | J].
  - congruence.
  - injection E as -> ->. destruct Q. apply (in_map fst) in J. trivial.
  - injection F as -> ->. destruct Q. apply (in_map fst) in I. trivial.
  - auto.
Qed.

(** A card is on one cell. *)
Lemma up_one_cell : forall T p q c, valid T -> In (p, c) (up T) -> In (q, c) (up T) -> p = q.
Proof.
  intros T p q c V. pose proof (up_distinct T V) as N. induction (up T) as [| [r e] l IH]; [intros [] |].
  simpl in N. inversion N as [| ? ? Q N']; subst. intros [E | I] [F | J].
  - congruence.
  - injection E as -> ->. destruct Q. apply (in_map snd) in J. trivial.
  - injection F as -> ->. destruct Q. apply (in_map snd) in I. trivial.
  - auto.
Qed.

Lemma fixed_plain : forall T p v, valid T -> In (p, v) (fixed T) -> plain T p.
Proof.
  intros T p v V F. apply in_fixed in F. split.
  - apply (up_inside T V). apply (in_map fst) in F. trivial.
  - intros E ->. pose proof (up_apex T V _ E F). discriminate.
Qed.

Lemma free_plain : forall T p, In p (free T) -> plain T p.
Proof. intros T p F. apply in_free in F. split; tauto. Qed.

(** The number of a plain cell: that of the card which is up, or else that which f gives. *)
Definition numbered (T : tower) (f : cell -> Z) (p : cell) : Z :=
  match find (fun x => eqb (fst x) p) (fixed T) with Some (_, v) => v | None => f p end.

Lemma numbered_fixed : forall T f p v, valid T -> In (p, v) (fixed T) -> numbered T f p = v.
Proof.
  intros T f p v V F. unfold numbered. destruct (find _ (fixed T)) as [[q w] |] eqn:E.
  - apply find_some in E. destruct E as [G E]. apply eqb_true in E. simpl in E. subst q.
    apply in_fixed in F, G. pose proof (up_unique T p _ _ V F G). congruence.
  - apply (find_none _ _ E) in F. simpl in F. destruct (eqb_spec p p); congruence.
Qed.

Lemma numbered_free : forall T f p, In p (free T) -> numbered T f p = f p.
Proof.
  intros T f p F. unfold numbered. destruct (find _ (fixed T)) as [[q w] |] eqn:E; trivial.
  apply find_some in E. destruct E as [G E]. apply eqb_true in E. simpl in E. subst q.
  apply in_fixed, (in_map fst) in G. apply in_free in F. unfold laid_up in F. tauto.
Qed.

Lemma plain_bound : forall T f p, valid T -> no_stray T -> plain T p ->
  In (Bound p (numbered T f p) (numbered T f p)) (all_bounds T f).
Proof.
  intros T f p V NS P. unfold all_bounds, bounds. destruct (plain_cases T p V NS P) as [F | [v F]].
  - rewrite (numbered_free T f p F). apply in_or_app. right.
    apply in_map_iff. exists p. auto.
  - rewrite (numbered_fixed T f p v V F). apply in_or_app. left. apply in_or_app. left.
    apply in_map_iff. exists (p, v). auto.
Qed.

Lemma all_bounds_cases : forall T f b, valid T -> In b (all_bounds T f) ->
  (exists p, plain T p /\ b = Bound p (numbered T f p) (numbered T f p)) \/ In b (apex_bound T).
Proof.
  intros T f b V I. unfold all_bounds, bounds in I. apply in_app_or in I. destruct I as [I | I].
  - apply in_app_or in I. destruct I as [I | I]; [left | auto].
    apply in_map_iff in I. destruct I as ([p v] & <- & F). exists p. simpl.
    rewrite (numbered_fixed T f p v V F). split; [eapply fixed_plain |]; eauto.
  - left. apply in_map_iff in I. destruct I as (p & <- & F). exists p.
    rewrite (numbered_free T f p F). split; [apply free_plain |]; trivial.
Qed.

(** The apex's bounds exist just where its orders are asked. *)
Definition apex_asked (T : tower) : Prop := finish T = true /\ value T = Numbered.

Lemma in_apex_bound : forall T b, In b (apex_bound T) <-> apex_asked T /\ b =
  match btw T with Strict => Bound (apex_of T) (start T) (start T)
    | Weak => Bound (apex_of T) (start T + 1) (start T - 1) end.
Proof.
  intros T b. unfold apex_bound, apex_asked. destruct (finish T), (value T), (btw T); simpl;
    intuition congruence.
Qed.

(** * From the clauses to a filling *)

Lemma steps_respect : forall (S : cell -> Prop) (R : Z -> Z -> Prop) v,
  (forall a b c, R a b -> R b c -> R a c) -> (forall p q, step_in S p q -> R (v p) (v q)) ->
  forall p q, clos_trans _ (step_in S) p q -> R (v p) (v q).
Proof. intros S R v Tr H p q C. induction C; eauto. Qed.

Lemma holds_trans : forall o a b c, holds o a b -> holds o b c -> holds o a c.
Proof. intros [|] a b c; simpl; lia. Qed.

Lemma holds_le : forall o a b, holds o a b -> a <= b.
Proof. intros [|] a b; simpl; lia. Qed.

Section FromClauses.
  Variable T : tower.
  Hypothesis V : valid T.
  Variable t : cell -> card.
  Hypothesis R : completion T t.

  (** The number on a cell, [start] for F. *)
  Let g (p : cell) : Z := match t p with Glass v => v | Finish => start T end.

  Lemma finish_at_apex : forall p, in_tower T p -> t p = Finish -> finish T = true /\ p = apex_of T.
  Proof.
    intros p I E. destruct R as (Up & Av & Di & _ & _ & A8 & _).
    assert (F : finish T = true).
    { destruct (in_dec cell_dec p (map fst (up T))) as [U | U].
      - apply in_map_iff in U. destruct U as ([q c] & Q & U). simpl in Q. subst q.
        pose proof (Up p c U) as C. rewrite E in C. subst c. apply (up_finish T V p U).
      - specialize (Av p I U). rewrite E in Av. apply Av. }
    split; trivial. specialize (A8 F). apply Di; trivial; [| congruence].
    unfold in_tower, apex_of in *. unfold inside in I |- *. cell_lia.
  Qed.

  Lemma plain_glass : forall p, plain T p -> t p = Glass (g p).
  Proof.
    intros p [I N]. unfold g. destruct (t p) eqn:E; trivial.
    destruct (finish_at_apex p I E) as [F ->]. exfalso. exact (N F eq_refl).
  Qed.

  Lemma plain_number : forall p, plain T p -> number T p (t p) = Some (g p).
  Proof. intros p P. rewrite (plain_glass p P). reflexivity. Qed.

  Lemma plain_distinct : forall p q, plain T p -> plain T q -> g p = g q -> p = q.
  Proof.
    intros p q P Q E. destruct R as (_ & _ & Di & _). apply Di; [apply P | apply Q |].
    rewrite (plain_glass p P), (plain_glass q Q). congruence.
  Qed.

  (** Where the apex has a number, or no F is in the game, every step of TOW02 is asked. *)
  Lemma asked_everywhere : finish T = false \/ value T = Numbered ->
    forall p q, in_tower T p -> in_tower T q -> below p q -> holds (btw T) (g p) (g q).
  Proof.
    intros H p q Ip Iq B.
    assert (Num : forall p, in_tower T p -> number T p (t p) = Some (g p)).
    { intros x I. unfold g. destruct (t x) eqn:E; trivial. destruct (finish_at_apex x I E) as [F _].
      destruct H as [H | H]; [congruence |]. simpl. rewrite H. reflexivity. }
    apply (steps_respect (in_tower T) (holds (btw T)) g); [apply holds_trans | |
      apply below_generated; auto].
    destruct R as (_ & _ & _ & _ & A2 & _). intros x y (Ix & Iy & [[L ->] | [L ->]]).
    - destruct (A2 y Iy L) as [A _]. rewrite !Num in A by trivial. exact A.
    - destruct (A2 x Ix L) as [_ A]. rewrite !Num in A by trivial. exact A.
  Qed.

  (** Where orders with the apex are waived, those between other cells remain. *)
  Lemma asked_below_apex : finish T = true ->
    forall p q, plain T p -> plain T q -> below p q -> g p <= g q.
  Proof.
    intros F p q P Q B.
    assert (P' : inside_but_apex (height T) (place T) p) by (split; [apply P | apply P, F]).
    assert (Q' : inside_but_apex (height T) (place T) q) by (split; [apply Q | apply Q, F]).
    assert (Pl : forall x, inside_but_apex (height T) (place T) x -> plain T x)
      by (intros x [X Y]; split; auto).
    destruct R as (_ & _ & _ & A1 & A2 & _).
    destruct (Nat.le_gt_cases 3 (height T)) as [H3 | H2].
    - apply (steps_respect (inside_but_apex (height T) (place T)) Z.le g); [apply Z.le_trans | |
        apply below_generated_without_apex; auto].
      intros x y (Ix & Iy & [[L E] | [L E]]); subst.
      + destruct (A2 y (proj1 Iy) L) as [A _]. rewrite !plain_number in A by auto. apply holds_le in A.
        trivial.
      + destruct (A2 x (proj1 Ix) L) as [_ A]. rewrite !plain_number in A by auto. apply holds_le in A.
        trivial.
    - (* two levels at most: the cells beside the apex are on level 1 *)
      assert (L : forall x, inside_but_apex (height T) (place T) x -> lev x = 1).
      { intros x [I N]. destruct (Z.eq_dec (lev x) 1) as [| D]; trivial. exfalso. apply N, cell_ext;
          cell_lia. }
      pose proof (L p P') as Lp. pose proof (L q Q') as Lq. pose proof (below_strict _ _ B).
      assert (A : asked (row T) (number T p (t p)) (number T q (t q)))
        by (apply A1; [apply P | apply Q | lia | lia]).
      rewrite !plain_number in A by trivial. apply holds_le in A. trivial.
  Qed.

  Lemma completion_order : forall p q, plain T p -> plain T q -> below p q -> g p < g q.
  Proof.
    intros p q P Q B. assert (g p <> g q).
    { intros E. pose proof (plain_distinct p q P Q E). subst q. exact (below_irrefl p B). }
    assert (g p <= g q); [| lia]. destruct (finish T) eqn:F.
    - apply asked_below_apex; trivial.
    - apply (holds_le (btw T)). apply asked_everywhere; auto; [apply P | apply Q].
  Qed.

  Lemma completion_apex : apex_asked T -> forall b p, In b (apex_bound T) -> plain T p ->
    (below p (apex_of T) -> g p < under b) /\ (below (apex_of T) p -> over b < g p).
  Proof.
    intros [F N] b p B P. apply in_apex_bound in B. destruct B as [_ ->].
    assert (E : t (apex_of T) = Finish) by (apply R, F).
    assert (Ga : g (apex_of T) = start T) by (unfold g; rewrite E; trivial).
    assert (Ia : in_tower T (apex_of T)).
    { destruct P as [P _]. unfold in_tower, apex_of in *. unfold inside in P |- *. cell_lia. }
    split; intros L; [pose proof (asked_everywhere (or_intror N) _ _ (proj1 P) Ia L) as H
      | pose proof (asked_everywhere (or_intror N) _ _ Ia (proj1 P) L) as H];
      rewrite Ga in H; destruct (btw T); simpl in *; lia.
  Qed.

  Lemma completion_no_stray : no_stray T.
  Proof.
    intros p [U N]. destruct R as (Up & _). pose proof (Up p Finish U) as E.
    apply N, finish_at_apex; trivial. apply (up_inside T V). apply (in_map fst) in U. trivial.
  Qed.

  Lemma completion_not_gone : finish T = true -> in_tower T (apex_of T) -> finish_gone T = false.
  Proof.
    intros F I. destruct R as (Up & Av & _ & _ & _ & A8 & _). specialize (A8 F).
    destruct (in_dec cell_dec (apex_of T) (map fst (up T))) as [U | U].
    - apply in_map_iff in U. destruct U as ([q c] & Q & U). simpl in Q. subst q.
      pose proof (Up _ c U) as C. rewrite A8 in C. subst c. apply (up_finish T V _ U).
    - specialize (Av _ I U). rewrite A8 in Av. apply Av.
  Qed.

  Lemma g_numbered : forall p, plain T p -> numbered T g p = g p.
  Proof.
    intros p P. destruct (plain_cases T p V completion_no_stray P) as [F | [v F]].
    - apply numbered_free, F.
    - rewrite (numbered_fixed T g p v V F). apply in_fixed in F. destruct R as (Up & _).
      unfold g. rewrite (Up _ _ F). reflexivity.
  Qed.

  Lemma completion_filling : filling T g.
  Proof.
    assert (R' := R). destruct R' as (Up & Av & Di & _ & _ & _ & Un). split; [| split; [| split]].
    - intros p I. assert (P := free_plain T p I). apply in_free in I. destruct I as (I & U & _).
      specialize (Av p I U). rewrite (plain_glass p P) in Av. exact Av.
    - intros p q I J. apply plain_distinct; apply free_plain; trivial.
    - intros b c B C L. apply all_bounds_cases in B, C; trivial.
      destruct B as [(p & P & ->) | B], C as [(q & Q & ->) | C]; simpl in *.
      + rewrite !g_numbered by trivial. apply completion_order; trivial.
      + assert (A : apex_asked T) by (apply in_apex_bound in C; apply C). rewrite g_numbered by trivial.
        apply (completion_apex A c p C P). apply in_apex_bound in C. destruct C as [_ ->].
        destruct (btw T); exact L.
      + assert (A : apex_asked T) by (apply in_apex_bound in B; apply B). rewrite g_numbered by trivial.
        apply (completion_apex A b q B Q). apply in_apex_bound in B. destruct B as [_ ->].
        destruct (btw T); exact L.
      + exfalso. apply in_apex_bound in B, C. destruct B as [_ ->], C as [_ ->].
        destruct (btw T); exact (below_irrefl _ L).
    - eapply Nat.le_trans; [exact Un |]. apply count_le. intros v I. rewrite !andb_true_iff, !negb_true_iff.
      intros [A B]. split; trivial. destruct (memb v (map g (free T))) eqn:M; trivial. exfalso.
      apply memb_true, in_map_iff in M. destruct M as (p & E & F).
      assert (X : used T t v = true); [| congruence]. apply existsb_exists. exists p.
      split; [apply in_cells; apply in_free in F; apply F |].
      rewrite (plain_glass p (free_plain T p F)). apply card_eqb_true. congruence.
  Qed.
End FromClauses.

(** * From a filling to a full tower *)

Section FromFilling.
  Variable T : tower.
  Hypothesis V : valid T.
  Hypothesis NS : no_stray T.
  Hypothesis NG : finish T = true -> finish_gone T = false.
  Variable f : cell -> Z.
  Hypothesis F : filling T f.

  Let n : cell -> Z := numbered T f.
  Definition filled (p : cell) : card := if finish T && eqb p (apex_of T) then Finish else Glass (n p).

  Lemma filled_plain : forall p, plain T p -> filled p = Glass (n p).
  Proof.
    intros p [_ N]. unfold filled. destruct (finish T), (eqb_spec p (apex_of T)); simpl; trivial.
    exfalso. apply N; trivial.
  Qed.

  Lemma filled_apex : finish T = true -> filled (apex_of T) = Finish.
  Proof.
    intros E. unfold filled. rewrite E. destruct (eqb_spec (apex_of T) (apex_of T));
      [reflexivity | congruence].
  Qed.

  Lemma plain_or_apex : forall p, in_tower T p -> plain T p \/ finish T = true /\ p = apex_of T.
  Proof.
    intros p I. destruct (finish T) eqn:E; [destruct (cell_dec p (apex_of T)) |]; auto; left; split; auto;
      congruence.
  Qed.

  Lemma filled_order : forall p q, plain T p -> plain T q -> below p q -> n p < n q.
  Proof.
    intros p q P Q B. destruct F as (_ & _ & A & _).
    exact (A _ _ (plain_bound T f p V NS P) (plain_bound T f q V NS Q) B).
  Qed.

  Lemma filled_distinct : forall p q, plain T p -> plain T q -> n p = n q -> p = q.
  Proof.
    intros p q P Q E. destruct F as (A & D & _). unfold n in E.
    destruct (plain_cases T p V NS P) as [Fp | [v Fp]], (plain_cases T q V NS Q) as [Fq | [w Fq]].
    - rewrite !numbered_free in E by trivial. auto.
    - rewrite (numbered_free T f p Fp), (numbered_fixed T f q w V Fq) in E. subst w. apply in_fixed in Fq.
      destruct (up_once T V _ _ Fq). auto.
    - rewrite (numbered_free T f q Fq), (numbered_fixed T f p v V Fp) in E. subst v. apply in_fixed in Fp.
      destruct (up_once T V _ _ Fp). auto.
    - rewrite (numbered_fixed T f p v V Fp), (numbered_fixed T f q w V Fq) in E. subst w.
      apply in_fixed in Fp, Fq. eapply up_one_cell; eassumption.
  Qed.

  Lemma top_level_is_apex : forall p, in_tower T p -> lev p = Z.of_nat (height T) -> p = apex_of T.
  Proof. intros p I L. unfold in_tower in I. apply cell_ext; unfold apex_of; cell_lia. Qed.

  Lemma below_top_plain : forall p, in_tower T p -> lev p < Z.of_nat (height T) -> plain T p.
  Proof. intros p I L. split; trivial. intros _ ->. unfold apex_of in L. cell_lia. Qed.

  Lemma holds_of_lt : forall o a b, a < b -> holds o a b.
  Proof. intros [|] a b; simpl; lia. Qed.

  Lemma filled_tow01 : tow01 T filled.
  Proof.
    intros x y Ix Iy L C. assert (Lx : lev x < Z.of_nat (height T)) by (unfold in_tower in *; cell_lia).
    assert (P : plain T x) by (apply below_top_plain; trivial).
    assert (Q : plain T y) by (apply below_top_plain; trivial; lia).
    rewrite (filled_plain x P), (filled_plain y Q). simpl. apply holds_of_lt, filled_order; trivial.
    apply below_intro; lia.
  Qed.

  (** A step beside the apex of F, where its orders are asked. *)
  Lemma filled_beside_apex : finish T = true -> forall p, plain T p ->
    (below p (apex_of T) -> asked (btw T) (Some (n p)) (number T (apex_of T) Finish)) /\
    (below (apex_of T) p -> asked (btw T) (number T (apex_of T) Finish) (Some (n p))).
  Proof.
    intros E p P. destruct F as (_ & _ & A & _).
    assert (L : lev (apex_of T) = Z.of_nat (height T)) by reflexivity.
    unfold number. rewrite L, Z.eqb_refl. destruct (value T) eqn:Va; [| split; intros _; exact I ..].
    assert (B : exists b, In b (all_bounds T f) /\ In b (apex_bound T)).
    { destruct (apex_bound T) as [| b l] eqn:X.
      - exfalso. unfold apex_bound in X. rewrite E, Va in X. destruct (btw T); discriminate.
      - exists b. split; [| left; trivial]. unfold all_bounds, bounds. rewrite X.
        apply in_or_app. left. apply in_or_app. right. left. trivial. }
    destruct B as (b & B1 & B2). apply in_apex_bound in B2. destruct B2 as [_ Eb].
    pose proof (plain_bound T f p V NS P) as B3. fold n in B3.
    split; intros Lt; [specialize (A _ _ B3 B1) | specialize (A _ _ B1 B3)]; subst b; destruct (btw T); simpl
      in *;
      specialize (A Lt); lia.
  Qed.

  Lemma filled_step : forall p q, in_tower T p -> in_tower T q -> below p q ->
    asked (btw T) (number T p (filled p)) (number T q (filled q)).
  Proof.
    intros p q Ip Iq B. destruct (plain_or_apex p Ip) as [P | [E P]], (plain_or_apex q Iq) as [Q | [E' Q]].
    - rewrite (filled_plain p P), (filled_plain q Q). simpl. apply holds_of_lt, filled_order; trivial.
    - subst q. rewrite (filled_plain p P), (filled_apex E'). apply filled_beside_apex; trivial.
    - subst p. rewrite (filled_plain q Q), (filled_apex E). apply filled_beside_apex; trivial.
    - subst. destruct (below_irrefl _ B).
  Qed.

  Lemma filled_tow02 : tow02 T filled.
  Proof.
    intros x I L. split; apply filled_step; trivial; try (apply left_support_inside; trivial);
      try (apply right_support_inside; trivial); apply step_below; [left | right]; auto.
  Qed.

  Lemma filled_up : forall p c, In (p, c) (up T) -> filled p = c.
  Proof.
    intros p [v |] U.
    - assert (Fx : In (p, v) (fixed T)) by (apply in_fixed; trivial).
      rewrite (filled_plain p (fixed_plain T p v V Fx)). unfold n. rewrite (numbered_fixed T f p v V Fx).
      reflexivity.
    - destruct (cell_dec p (apex_of T)) as [-> | N]; [| destruct (NS p (conj U N))].
      apply filled_apex, (up_finish T V _ U).
  Qed.

  Lemma filled_available : forall p, in_tower T p -> ~ laid_up T p -> is_available T (filled p).
  Proof.
    intros p I U. destruct (plain_or_apex p I) as [P | [E ->]].
    - assert (Fr : In p (free T)) by (apply in_free; split; [| split]; trivial; apply P).
      rewrite (filled_plain p P). simpl. unfold n. rewrite (numbered_free T f p Fr). apply F, Fr.
    - rewrite (filled_apex E). simpl. auto.
  Qed.

  Lemma filled_once : forall p q, in_tower T p -> in_tower T q -> filled p = filled q -> p = q.
  Proof.
    intros p q Ip Iq E. destruct (plain_or_apex p Ip) as [P | [G P]], (plain_or_apex q Iq) as [Q | [G' Q]].
    - rewrite (filled_plain p P), (filled_plain q Q) in E. apply filled_distinct; trivial. congruence.
    - subst q. rewrite (filled_plain p P), (filled_apex G') in E. discriminate.
    - subst p. rewrite (filled_plain q Q), (filled_apex G) in E. discriminate.
    - congruence.
  Qed.

  Lemma filled_unused : (unseen T <= count (fun v => negb (memb v (located T)) &&
    negb (used T filled v)) (available T))%nat.
  Proof.
    destruct F as (_ & _ & _ & U). eapply Nat.le_trans; [exact U |]. apply count_le.
    intros v I. rewrite !andb_true_iff, !negb_true_iff. intros [A B]. split; trivial.
    destruct (used T filled v) eqn:X; trivial. exfalso. apply existsb_exists in X. destruct X as (p & P & E).
    apply in_cells in P. apply card_eqb_true in E.
    destruct (plain_or_apex p P) as [Q | [G ->]]; [| rewrite (filled_apex G) in E; discriminate].
    rewrite (filled_plain p Q) in E. injection E as E. unfold n in E.
    destruct (plain_cases T p V NS Q) as [Fr | [w Fx]].
    - rewrite (numbered_free T f p Fr) in E.
      assert (M : memb v (map f (free T)) = true); [| congruence].
      apply memb_true, in_map_iff. exists p. auto.
    - rewrite (numbered_fixed T f p w V Fx) in E. subst w. apply in_fixed in Fx. exact (up_once T V p v Fx I).
  Qed.

  Lemma filling_completion : completion T filled.
  Proof.
    split; [exact filled_up |]. split; [exact filled_available |]. split; [exact filled_once |].
    split; [exact filled_tow01 |]. split; [exact filled_tow02 |].
    split; [exact filled_apex | exact filled_unused].
  Qed.
End FromFilling.

(** A tower can be completed, in the words of the clauses, just where F is on its apex or can still come
    there, and a filling exists. *)
Theorem completable_iff_filling : forall T, valid T ->
  completable T <-> no_stray T /\ (finish T = true -> finish_gone T = false) /\ exists f, filling T f.
Proof.
  intros T V. split.
  - intros (t & R). split; [exact (completion_no_stray T V t R) |]. split.
    + intros F. apply (completion_not_gone T V t R F). pose proof (some_level T V).
      unfold in_tower, apex_of. cell_lia.
    + eexists. exact (completion_filling T V t R).
  - intros (NS & NG & f & F). exists (filled T f). exact (filling_completion T V NS NG f F).
Qed.
