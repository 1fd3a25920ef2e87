(** The counting game with cards that are shut: search.md, "shut". *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach Game Turns Untouched.
Import ListNotations.
Open Scope nat_scope.

(** * The game *)

(** "A D that replaces a down card makes them one fewer, if any are": an action other than C that fills no
    cell and leaves one down card fewer, but for the one that it lays. Of z cards that are shut so many are
    left. *)
Definition shut_after (e e' dn dn' : nat) (opened down : bool) (z : nat) : nat :=
  if negb opened && (e' =? e) && (S dn' =? dn + if down then 1 else 0) then pred z else z.

(** D for a down card lays one up, or down; D for an up card; A. *)
Example shut_after_example : shut_after 3 3 2 1 false false 1 = 0 /\ shut_after 3 3 2 2 false true 1 = 0 /\
  shut_after 3 3 2 2 false false 1 = 1 /\ shut_after 3 2 2 2 false false 1 = 1.
Proof. auto. Qed.

(** "C needs a down card more than are shut." Beside that the game is that of Game.v. *)
Inductive shut_won (r : rulings) (anew : bool) (g : counts) (z : nat) : Prop :=
| shut_now : forall d n e dn j opened down, d <= draws_most r g -> d <= stack g ->
    acts r (nth (mover g) (owns g) 0 + d) (empties g) (downs g) n e dn j opened down ->
    mover g < length (owns g) -> (opened = true -> z < downs g) ->
    wins_now r opened (after r g d n e dn j down) -> shut_won r anew g z
| shut_later : forall d n e dn j opened down h, d <= draws_most r g -> d <= stack g ->
    acts r (nth (mover g) (owns g) 0 + d) (empties g) (downs g) n e dn j opened down ->
    mover g < length (owns g) -> (opened = true -> z < downs g) ->
    continues r anew (after r g d n e dn j down) h ->
    shut_won r anew h (shut_after (empties g) e (downs g) dn opened down z) -> shut_won r anew g z.

Lemma shut_after_least : forall e e' dn dn' o w z, shut_after e e' dn dn' o w z <= z.
Proof. intros. unfold shut_after. match goal with |- (if ?b then _ else _) <= _ => destruct b end; lia. Qed.

Lemma opens_down : forall r n e dn n' e' dn' j o w, acts r n e dn n' e' dn' j o w -> o = true -> 0 < dn.
Proof. intros r n e dn n' e' dn' j o w A. destruct A; try discriminate. lia. Qed.

(** With no card shut it is that game. *)
Theorem none_shut : forall r anew g, shut_won r anew g 0 <-> game_won r anew g.
Proof.
  intros r anew g. split.
  - intros W. remember 0 as z eqn:Z. induction W as [g z d n e dn j o w D1 D2 A M _ N |
      g z d n e dn j o w h D1 D2 A M _ Cn _ IH].
    + exact (won_now r anew g d n e dn j o w D1 D2 A M N).
    + apply (won_later r anew g d n e dn j o w h D1 D2 A M Cn). apply IH.
      pose proof (shut_after_least (empties g) e (downs g) dn o w z). lia.
  - intros W. induction W as [g d n e dn j o w D1 D2 A M N | g d n e dn j o w h D1 D2 A M Cn _ IH].
    + apply (shut_now r anew g 0 d n e dn j o w D1 D2 A M); trivial. exact (opens_down _ _ _ _ _ _ _ _ _ _ A).
    + apply (shut_later r anew g 0 d n e dn j o w h D1 D2 A M (opens_down _ _ _ _ _ _ _ _ _ _ A) Cn).
      pose proof (shut_after_least (empties g) e (downs g) dn o w 0) as L.
      rewrite (proj1 (Nat.le_0_r _) L). exact IH.
Qed.

(** One down card is left, and nobody can pay for a D: the game is won by C, unless the card is shut. *)
Example shut_matters :
  let r := Rulings false true true true by_integers any_card false win_on_completion is_25 false false true in
  let g := Counts 0 [1; 1] 0 0 1 0 (Some 0) in
  shut_won r false g 0 /\ ~ shut_won r false g 1.
Proof.
  intros r g. split.
  - apply (shut_now r false g 0 0 1 0 0 0 true false); simpl; try lia; [constructor |].
    repeat split; auto.
  - intros W. assert (No : forall d n e dn j o w, d <= stack g ->
      acts r (nth (mover g) (owns g) 0 + d) (empties g) (downs g) n e dn j o w ->
      (o = true -> 1 < downs g) -> False).
    { intros d n e dn j o w D A O. simpl in *. inversion A; subst; try lia; specialize (O eq_refl); lia. }
    destruct W as [d n e dn j o w _ D A _ O _ | d n e dn j o w h _ D A _ O _ _];
      exact (No _ _ _ _ _ _ _ D A O).
Qed.

(** * Beside the table *)

(** "Of the cards shut at the start let n lie where they did." *)
Definition lies (W : tower) (e : cell * Z) : bool :=
  match at_cell W (fst e) with Some (Down (Glass v)) => (v =? snd e)%Z | _ => false end.

Definition still (Zs : list (cell * Z)) (W : tower) : nat := length (filter (lies W) Zs).

Example still_example : still [((6, 1), 20); ((5, 1), 30)]%Z
  [((6, 1)%Z, Down (Glass 20)); ((5, 1)%Z, Up (Glass 30)); ((4, 1)%Z, Down (Glass 7))] = 1.
Proof. reflexivity. Qed.

Lemma lies_in : forall W p v, NoDup (map fst W) -> lies W (p, v) = true <-> In (p, Down (Glass v)) W.
Proof.
  intros W p v N. unfold lies. cbn [fst snd]. rewrite (at_cell_in W p _ N).
  destruct (at_cell W p) as [[c | [u |]] |]; try (split; discriminate).
  rewrite Z.eqb_eq. split; [intros ->; trivial | intros E; inversion E; trivial].
Qed.

(** Where all cards lie still but those on one cell, no more than one is missing. *)
Lemma still_but_one : forall Zs V W x, NoDup (map fst Zs) ->
  (forall p v, In (p, v) Zs -> lies V (p, v) = true -> p = x \/ lies W (p, v) = true) ->
  still Zs V <= S (still Zs W).
Proof.
  intros Zs V W x. unfold still. induction Zs as [| [p v] Zs IH]; intros N H; simpl; [lia |].
  inversion N as [| ? ? N1 N2]; subst.
  assert (H' : forall q u, In (q, u) Zs -> lies V (q, u) = true -> q = x \/ lies W (q, u) = true)
    by (intros q u I; apply H; right; trivial).
  destruct (lies V (p, v)) eqn:E; [| specialize (IH N2 H'); destruct (lies W (p, v)); simpl; lia].
  destruct (H p v (or_introl eq_refl) E) as [-> | L]; [| rewrite L; simpl; specialize (IH N2 H'); lia].
  assert (Le : length (filter (lies V) Zs) <= length (filter (lies W) Zs)).
  { clear IH N N2 E H. induction Zs as [| [q u] Zs IH]; simpl; [lia |]. simpl in N1.
    assert (Hq := H' q u (or_introl eq_refl)).
    specialize (IH ltac:(tauto) (fun q u I => H' q u (or_intror I))).
    destruct (lies V (q, u)); [| destruct (lies W (q, u)); simpl; lia].
    destruct (Hq eq_refl) as [-> | ->]; [tauto | simpl; lia]. }
  destruct (lies W (x, v)); simpl; lia.
Qed.

Lemma still_all : forall Zs V W, (forall p v, In (p, v) Zs -> lies V (p, v) = true -> lies W (p, v) = true) ->
  still Zs V <= still Zs W.
Proof.
  intros Zs V W H. unfold still. induction Zs as [| [p v] Zs IH]; simpl; [lia |].
  assert (Hp := H p v (or_introl eq_refl)). specialize (IH (fun q u I => H q u (or_intror I))).
  destruct (lies V (p, v)); [rewrite Hp by trivial; simpl; lia | destruct (lies W (p, v)); simpl; lia].
Qed.

(** "C at the table opens a card that is none of them, so down > n." *)
Lemma one_more_down : forall Zs W x c, NoDup (map fst W) -> NoDup (map fst Zs) -> In (x, Down c) W ->
  (forall v, c = Glass v -> ~ In (x, v) Zs) -> still Zs W < down_cards W.
Proof.
  intros Zs W x c N NZ I Not. unfold still, down_cards.
  rewrite <- (map_length fst (filter (lies W) Zs)), <- (map_length fst (filter _ W)).
  apply (NoDup_incl_length (l := x :: map fst (filter (lies W) Zs))).
  - constructor.
    + intros J. apply in_map_iff in J. destruct J as ([p v] & E & J). simpl in E. subst p.
      apply filter_In in J. destruct J as [J L]. apply (lies_in W x v N) in L.
      pose proof (once_laid W x _ _ N I L) as E. inversion E; subst. exact (Not v eq_refl J).
    + clear - NZ. induction Zs as [| [p v] Zs IH]; simpl in *; [constructor |].
      inversion NZ as [| ? ? N1 N2]; subst. destruct (lies W (p, v)); simpl; auto. constructor; auto.
      intros J. apply N1. apply in_map_iff in J. destruct J as (e & <- & J). apply filter_In in J.
      apply in_map, J.
  - intros p [<- | J]; apply in_map_iff.
    + exists (x, Down c). split; trivial. apply filter_In. auto.
    + apply in_map_iff in J. destruct J as ([q v] & E & J). simpl in E. subst q. apply filter_In in J.
      destruct J as [_ L]. apply (lies_in W p v N) in L. exists (p, Down (Glass v)). split; trivial.
      apply filter_In. auto.
Qed.

Section Table.
  Variables (r : rulings) (Zs : list (cell * Z)).
  Hypothesis Once : NoDup (map fst Zs).

  (** A turn that opens none of the cards. *)
  Definition opens_none (t : turn) : Prop := forall p v, In (p, v) Zs -> act t <> C p (Glass v).

  (** The turn opens a card more than lie still, and leaves so many of them as the game's at least. *)
  Lemma shut_turn : forall g t s s1 d n e dn j o z, sound r s -> sound r s1 -> played r s t s1 ->
    opens_none t -> act t <> Pass -> length (laid_cards s) + empties g = full_size ->
    downs g = down_cards (laid_cards s) ->
    same_turn r g t s1 d n e dn j o -> z <= still Zs (laid_cards s) ->
    (o = true -> z < downs g) /\
    shut_after (empties g) e (downs g) dn o (lays_down (act t)) z <= still Zs (laid_cards s1).
  Proof.
    intros g t s s1 d n e dn j o z S S1 P None Np Em Dn (_ & _ & _ & _ & Oc & Em1 & Dn1) Le.
    pose proof (sound_cells _ _ S) as N. pose proof (sound_cells _ _ S1) as N1.
    pose proof P as [b a h h' R' dk _ _ _ _ Do _ _ _ _ W _ _ _ _].
    pose proof (shut_after_least (empties g) e (downs g) dn o (lays_down (act t)) z) as Less.
    rewrite W in *. clear W P S S1.
    remember (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s)) as d0 eqn:Ed.
    replace (laid_cards s) with (tow d0) in * by (rewrite Ed; trivial). clear Ed.
    assert (Kept : (forall p v, In (p, v) Zs -> In (p, Down (Glass v)) (tow d0) ->
      In (p, Down (Glass v)) (tow dk)) -> still Zs (tow d0) <= still Zs (tow dk)).
    { intros H. apply still_all. intros p v I L. apply (lies_in _ p v N1), H; trivial.
      apply (lies_in _ p v N), L. }
    destruct (act t) as [c x | c x | x c | u v E l x [old |] |] eqn:Ea; try congruence; split;
      try (intros Eo; apply Oc in Eo; destruct Eo as (y & k & Q); discriminate).
    - eapply Nat.le_trans; [exact Less |]. eapply Nat.le_trans; [exact Le |]. apply Kept. intros p v _ I.
      inversion Do; subst. simpl in *. auto.
    - eapply Nat.le_trans; [exact Less |]. eapply Nat.le_trans; [exact Le |]. apply Kept. intros p v _ I.
      inversion Do; subst. simpl in *. auto.
    - intros _. rewrite Dn. eapply Nat.le_lt_trans; [exact Le |].
      apply (one_more_down Zs _ x c N Once).
      + inversion Do; subst. simpl. apply in_or_app. simpl. auto.
      + intros v -> I. exact (None x v I Ea).
    - eapply Nat.le_trans; [exact Less |]. eapply Nat.le_trans; [exact Le |]. apply Kept. intros p v J I.
      inversion Do; subst. simpl in *. apply in_app_or in I. apply in_or_app. simpl.
      destruct I as [I | [I | I]]; auto. inversion I; subst. destruct (None p v J Ea).
    - destruct (does_replace _ _ _ _ _ _ _ _ Do) as (V1 & V2 & E1 & E2). rewrite E1, E2 in *.
      destruct old as [c | c].
      + eapply Nat.le_trans; [exact Less |]. eapply Nat.le_trans; [exact Le |]. apply Kept. intros p w _ I.
        apply in_app_or in I. apply in_or_app. simpl. destruct I as [I | [I | I]]; auto. discriminate.
      + assert (St : still Zs (V1 ++ (x, Down c) :: V2) <= S (still Zs (V1 ++ (x, l) :: V2))).
        { apply (still_but_one Zs _ _ x Once). intros p w _ L. apply (lies_in _ p w N) in L.
          rewrite (lies_in _ p w N1). apply in_app_or in L. rewrite in_app_iff. simpl.
          destruct L as [L | [L | L]]; auto. inversion L; auto. }
        assert (Fewer : shut_after (empties g) e (downs g) dn o (lays_down (act t)) z = pred z).
        { unfold shut_after. assert (o = false) as ->.
          { destruct o; trivial. destruct (proj1 Oc eq_refl) as (y & k & Q). congruence. }
          rewrite !app_length in *. simpl length in *. rewrite !down_app, !down_cons in *. cbn [is_up] in *.
          rewrite (proj2 (Nat.eqb_eq e (empties g))) by lia.
          rewrite (proj2 (Nat.eqb_eq _ _)); trivial. rewrite Ea, Dn, Dn1. simpl.
          destruct l; simpl; lia. }
        rewrite Ea in Fewer. rewrite Fewer. lia.
    - eapply Nat.le_trans; [exact Less |]. eapply Nat.le_trans; [exact Le |]. apply Kept. intros p w _ I.
      inversion Do; subst. simpl in *. auto.
  Qed.

  (** "Follow a continuation that wins as in table.md." *)
  Theorem play_beside_shut : forall lim s ts s', wins_fairly r lim s ts s' -> skipped r = false ->
    (forall t, In t ts -> opens_none t) ->
    forall g z anew, sound r s -> supported (laid_cards s) -> beside r lim s (all_D ts + all_spent ts) g ->
    z <= still Zs (laid_cards s) ->
    (early_apex r <> win_on_completion -> apex_lies s -> anew = true) ->
    (early_apex r = no_win -> anew = true) -> shut_won r anew g z.
  Proof.
    intros lim s ts s' W Sk.
    induction W as [lim s t s' P N Fa Wn | lim lim' s t s1 ts s' P N Fa G L W IH];
      intros None g z anew S Su Bs Le As An; pose proof (None t (or_introl eq_refl)) as None';
      pose proof (turn_sound _ _ _ _ S P) as S1; pose proof (acts_of_turn r t _ Sk N) as Np;
      pose proof (same_empty _ _ _ _ _ Bs) as Em; pose proof (same_down _ _ _ _ _ Bs) as Dn.
    - destruct (beside_last r lim s t s' g Sk S Su P N Fa Wn Bs) as (d & n & e & dn & j & o & Sm & Now).
      destruct (shut_turn g t s s' d n e dn j o z S S1 P None' Np Em Dn Sm Le) as [Op _].
      destruct Sm as (D1 & D2 & Ml & Ac & _).
      exact (shut_now r anew g z d n e dn j o _ D1 D2 Ac Ml Op Now).
    - destruct (beside_next r lim lim' s t s1 ts s' g anew Sk S Su P N Fa G L W Bs As An)
        as (_ & Su1 & As1 & d & n & e & dn & j & o & h & Sm & Cn & Bs1).
      destruct (shut_turn g t s s1 d n e dn j o z S S1 P None' Np Em Dn Sm Le) as [Op Le1].
      destruct Sm as (D1 & D2 & Ml & Ac & _).
      apply (shut_later r anew g z d n e dn j o _ h D1 D2 Ac Ml Op Cn).
      apply IH; trivial. intros u U. apply None. right. trivial.
  Qed.
End Table.

(** "A position that counts as lost then is left out": if the counting game with the cards that are shut is
    lost, no continuation wins that keeps the clauses asked for in Turns.v. *)
Theorem shut_game_dead : forall r s lim owed anew Zs, sound r s -> supported (laid_cards s) ->
  skipped r = false -> finish_value r <> no_number -> facedown r <> ignored -> opened_stands r = false ->
  NoDup (map fst Zs) ->
  (forall p x, In (p, x) Zs -> In (p, Down (Glass x)) (laid_cards s) /\ shut r s p x) ->
  (forall ts s', wins r s ts s' -> owed <= all_D ts + all_spent ts) ->
  (early_apex r <> win_on_completion -> apex_lies s -> anew = true) ->
  (early_apex r = no_win -> anew = true) ->
  ~ shut_won r anew (game_of s lim owed) (length Zs) -> forall ts s', ~ wins_fairly r lim s ts s'.
Proof.
  intros r s lim owed anew Zs S Su Sk Val Fd Os NZ Sh Ow As An Lost ts s' W. apply Lost.
  pose proof (fairly_wins _ _ _ _ _ W) as Wn.
  apply (play_beside_shut r Zs NZ lim s ts s' W Sk); trivial.
  - intros t I p x J. destruct (Sh p x J) as [D Q].
    exact (shut_not_opened r s p x ts s' S Su Val Fd Os D Q Wn t I).
  - apply game_beside; trivial. exact (Ow ts s' Wn).
  - unfold still. assert (All : filter (lies (laid_cards s)) Zs = Zs); [| rewrite All; trivial].
    clear - Sh S. induction Zs as [| [p x] Zs IH]; simpl; trivial.
    rewrite (proj2 (lies_in _ p x (sound_cells _ _ S)) (proj1 (Sh p x (or_introl eq_refl)))). f_equal.
    apply IH. intros q y I. apply Sh. right. trivial.
Qed.
