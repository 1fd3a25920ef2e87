(** What an action of the printed formulas does is what [Account.does] has it do (step.md, "After the action";
    ACT02 to ACT07, TOW06). *)

From Coq Require Import String List ZArith Lia Bool Permutation.
From Couperation Require Import FormulaPrelude FormulaLemmas Formulas Linked.
From Couperation Require Cells Table Account.
Import ListNotations.
Open Scope Z_scope.

(** * Cards, cells and actions as Account.v has them *)

Definition card_of (c : Card) : Table.card := match c with Glass v => Table.Glass v | F => Table.F end.
Definition laid_of (l : Laid) : Table.laid :=
  match l with Up c => Table.Up (card_of c) | Down c => Table.Down (card_of c) end.
Definition cell_of (x : Cell) : Cells.cell := (col x, lev x).
Definition tower_of (W : list (Cell * Laid)) : Table.tower := map (fun e => (cell_of (fst e),
  laid_of (snd e))) W.

(** What action D replaces is what lies on the cell. *)
Definition action_of (now : Now) : Account.action :=
  match a now with
  | A c x => Account.A (card_of c) (cell_of x)
  | B c x => Account.B (card_of c) (cell_of x)
  | C x c => Account.C (cell_of x) (card_of c)
  | D u _ v E l x y => Account.D (card_of u) (card_of v) (map card_of (map card E)) (laid_of l) (cell_of x)
      (match y with Nothing => None | _ => option_map laid_of (look (W now) x) end)
  | Pass => Account.Pass
  end.

(** The own cards of player q, by the hands and who has F in front. *)
Definition own_of (hands : list (Z * list Card)) (front : option Z) (q : Z) : list Card :=
  own_cards (match look hands q with Some h => h | None => [] end) front q.

(** What an action changes, before it and after it. *)
Definition desk_before (now : Now) (q : Z) : Account.desk :=
  Account.Desk (map card_of (d now ++ own_of (H now) (f now) q)) (tower_of (W now)) (map card_of (R now))
    (map card_of (G now)) (moved now).
Definition desk_after (now : Now) (q : Z) : Account.desk :=
  Account.Desk (map card_of (own_of (H2 now) (f2 now) q)) (tower_of (W2 now)) (map card_of (R2 now))
    (map card_of (G2 now)) (moved2 now).

(** Sets that are written in another order. *)
Definition alike (one other : Account.desk) : Prop :=
  Permutation (Account.hand one) (Account.hand other) /\ Permutation (Account.tow one) (Account.tow other) /\
  Permutation (Account.row one) (Account.row other) /\ Permutation (Account.out one) (Account.out other) /\
  Account.off one = Account.off other.

Lemma not_a_cell : forall (W : list (Cell * Laid)) x,
  ~ In x (dom W) -> ~ In (cell_of x) (map fst (tower_of W)).
Proof.
  intros W x N I. apply N. unfold tower_of in I. rewrite map_map in I. apply in_map_iff in I.
  destruct I as ([y l] & E & I). simpl in E. apply in_map_iff. exists (y, l). split; trivial.
  destruct x, y. unfold cell_of in E. simpl in *. congruence.
Qed.

Lemma face_laid : forall l, Table.face (laid_of l) = card_of (face_of l).
Proof. intros [c | c]; reflexivity. Qed.

Lemma tower_app : forall V W, tower_of (V ++ W) = tower_of V ++ tower_of W.
Proof. intros. apply map_app. Qed.

(** A card on both sides is left out. *)
Lemma without_the_card : forall X (l a b : list X) c u v e,
  Permutation (l ++ [c]) (u :: v :: e ++ a ++ c :: b) -> Permutation l (u :: v :: e ++ a ++ b).
Proof.
  intros X l a b c u v e P. apply Permutation_app_inv_r with [c]. eapply perm_trans; [exact P |].
  cbn [app]. do 2 apply perm_skip. rewrite <- !app_assoc. do 2 apply Permutation_app_head.
  apply Permutation_cons_append.
Qed.

Section Action.
  Variables (now : Now) (q : Z) (h : list Card).
  Hypothesis table : about_to_draw now q h.
  Hypothesis top : DRW05 now = true.

  Let own1 : list Card := own_cards (hand1 now h) (f1 now) q.

  Lemma own_before : own_of (H now) (f now) q = own_cards h (f now) q.
  Proof. unfold own_of. rewrite (in_hand _ _ _ table). trivial. Qed.

  Lemma own_after : own_of (H2 now) (f2 now) q = own_cards (hand2 now h) (f2 now) q.
  Proof. unfold own_of. rewrite (hand_after_action now q h table top). trivial. Qed.

  Lemma own1_once : NoDup own1.
  Proof. apply own_once; apply (hand1_once now q h table top). Qed.

  (** Own cards lie neither in the tower nor in the Reserve, nor are they gone. *)
  Lemma own_elsewhere : forall c, In c own1 ->
    ~ In c (map (fun e => face_of (snd e)) (W now)) /\ ~ In c (R now) /\ ~ In c (G now).
  Proof.
    intros c I. apply (Permutation_in c (Permutation_sym (draw_joins now q h table top))) in I.
    destruct (drawn_from_top now top) as [r E]. pose proof (in_one_place _ _ _ table) as N. rewrite E in N.
    apply app_once in N. destruct N as (_ & N & A). apply app_once in N. destruct N as (_ & N & B).
    apply app_once in N. destruct N as (_ & _ & X). apply in_app_or in I. destruct I as [I | I].
    - assert (J : In c (d now ++ fill now ++ r)) by (apply in_or_app; tauto). specialize (X c J).
      rewrite !in_app_iff in X. tauto.
    - apply own_in in I. destruct I as [I | [-> I]].
      + specialize (A c I). rewrite !in_app_iff in A. tauto.
      + rewrite I in B. specialize (B F (or_introl eq_refl)). rewrite !in_app_iff in B. tauto.
  Qed.

  Lemma in_own1 : forall c, holds (let? s := Formulas.own1 now in Some (mem c s)) = true -> In c own1.
  Proof.
    intros c. destruct (own1_is now q h table top) as (s & -> & E). cbn [bind holds].
    rewrite mem_in, E. trivial.
  Qed.

  (** What is moved, in the words of Account.v. *)
  Lemma moves : NoDup (leaving now) -> incl (leaving now) own1 -> gained now = [] ->
    Permutation (map card_of (d now ++ own_of (H now) (f now) q))
      (map card_of (leaving now) ++ map card_of (own_of (H2 now) (f2 now) q)).
  Proof.
    intros L I G. rewrite <- map_app. apply Permutation_map. rewrite own_before, own_after.
    apply perm_trans with own1; [exact (draw_joins now q h table top) |].
    pose proof (action_moves now q h table top) as P. rewrite G, app_nil_r in P.
    apply P; trivial; [constructor |].
    intros c [].
  Qed.

  (** A card that is laid on an empty cell. *)
  Lemma laid_on_empty : forall x l, ~ In x (dom (W now)) ->
    over (W now) [(x, l)] = W now ++ [(x, l)].
  Proof. intros x l N. unfold over. simpl. rewrite without_new_key; trivial. Qed.

  Lemma empty_cell : forall x, new now = Some x -> TOW06 now = true -> ~ In x (dom (W now)).
  Proof.
    intros x E L. unfold TOW06 in L. rewrite E in L. simpl in L. apply mem_out.
    destruct (mem x (dom (W now))); trivial.
    discriminate.
  Qed.

  Lemma nothing_sent : sent now = [] -> taken now = [] -> spent now = [] ->
    R2 now = R now /\ G2 now = G now.
  Proof.
    intros S T E. unfold R2, G2. rewrite S, T, E. unfold union. simpl. rewrite !app_nil_r.
    split; trivial. apply without_all. intros c _ [].
  Qed.

  Lemma moved_as_it_was : replacing now = false -> moved2 now = moved now.
  Proof.
    intros E. unfold moved2. rewrite E. destruct (moved now); trivial.
    match goal with |- (if ?b then false else false) = false => destruct b; trivial end.
  Qed.

  (** A card that is laid by A or B, as it lies. *)
  Lemma lays : forall c x l, leaving now = [c] -> new now = Some x -> target now = Some x ->
    lies now = Some l ->
    sent now = [] -> taken now = [] -> spent now = [] -> gained now = [] -> replacing now = false ->
    In c own1 -> TOW06 now = true ->
    ~ In x (dom (W now)) /\
    Permutation (map card_of (d now ++ own_of (H now) (f now) q))
      (card_of c :: map card_of (own_of (H2 now) (f2 now) q)) /\
    alike (Account.Desk (map card_of (own_of (H2 now) (f2 now) q)) ((cell_of x,
      laid_of l) :: tower_of (W now))
      (map card_of (R now)) (map card_of (G now)) (moved now)) (desk_after now q).
  Proof.
    intros c x l L N T Li S Ta Sp G Re O E. apply empty_cell in N; trivial.
    destruct (nothing_sent S Ta Sp) as [R_ G_]. split; [trivial | split].
    - pose proof moves as P. rewrite L, G in P.
      apply P; [repeat constructor; simpl; tauto | intros y [<- | []]; trivial | trivial].
    - unfold alike, desk_after. cbn [Account.hand Account.tow Account.row Account.out Account.off].
      rewrite R_, G_, moved_as_it_was by trivial. repeat split; trivial.
      unfold W2. rewrite T, Li. simpl. rewrite laid_on_empty, tower_app by trivial.
      apply Permutation_cons_append.
  Qed.

  (** A and B: "a card leaves the own cards for an empty cell". *)
  Lemma lays_up : forall c x, a now = A c x -> ACT02 now = true -> TOW06 now = true ->
    exists e, Account.does (desk_before now q) (action_of now) e /\ alike e (desk_after now q).
  Proof.
    intros c x E O L. unfold ACT02 in O. rewrite E in O. apply in_own1 in O.
    destruct (lays c x (Up c)) as (N & P & S); trivial;
      try (unfold leaving, new, target, lies, sent, taken, spent, gained, old, replacing; rewrite E;
        reflexivity).
    eexists. split; [| exact S]. unfold desk_before, action_of. rewrite E.
    apply Account.does_A; trivial. apply not_a_cell, N.
  Qed.

  Lemma lays_down : forall c x, a now = B c x -> ACT03 now = true -> TOW06 now = true ->
    exists e, Account.does (desk_before now q) (action_of now) e /\ alike e (desk_after now q).
  Proof.
    intros c x E O L. unfold ACT03 in O. rewrite E, both_true in O. destruct O as [O _]. apply in_own1 in O.
    destruct (lays c x (Down c)) as (N & P & S); trivial;
      try (unfold leaving, new, target, lies, sent, taken, spent, gained, old, replacing; rewrite E;
        reflexivity).
    eexists. split; [| exact S]. unfold desk_before, action_of. rewrite E.
    apply Account.does_B; trivial. apply not_a_cell, N.
  Qed.

  (** C turns a card where it lies; - does nothing. *)
  Lemma stays : leaving now = [] -> sent now = [] -> taken now = [] -> spent now = [] -> gained now = [] ->
    replacing now = false ->
    forall V, Permutation V (tower_of (W2 now)) ->
    alike (Account.Desk (map card_of (d now ++ own_of (H now) (f now) q)) V (map card_of (R now))
      (map card_of (G now)) (moved now)) (desk_after now q).
  Proof.
    intros L S Ta Sp G Re V P. destruct (nothing_sent S Ta Sp) as [R_ G_].
    unfold alike, desk_after. cbn [Account.hand Account.tow Account.row Account.out Account.off].
    rewrite R_, G_, moved_as_it_was by trivial. repeat split; trivial.
    pose proof moves as M. rewrite L, G in M. apply M; [constructor | intros c [] | trivial].
  Qed.

  Lemma turns_up : forall c x, a now = C x c -> ACT04 now = true ->
    exists e, Account.does (desk_before now q) (action_of now) e /\ alike e (desk_after now q).
  Proof.
    intros c x E O. unfold ACT04 in O. rewrite E in O.
    destruct (look (W now) x) as [l |] eqn:L; [| discriminate]. 
    change (same l (Down c) = true) in O. apply (proj1 (same_true _ _)) in O. rewrite O in L.
    destruct (look_split _ _ _ _ _ L (one_on_a_cell _ _ _ table)) as (V & U & EW & EM).
    eexists. split.
    - unfold desk_before, action_of. rewrite E, EW, tower_app. apply Account.does_C.
    - apply stays; try (unfold leaving, sent, taken, spent, gained, old, replacing; rewrite E; reflexivity).
      unfold W2, target, lies. rewrite E. simpl. unfold over. simpl. rewrite EM, <- app_assoc, !tower_app.
      simpl.
      apply Permutation_app_head. apply Permutation_cons_append.
  Qed.

  Lemma does_nothing : a now = Pass ->
    exists e, Account.does (desk_before now q) (action_of now) e /\ alike e (desk_after now q).
  Proof.
    intros E. exists (desk_before now q). split; [unfold action_of; rewrite E; constructor |].
    apply stays; try (unfold leaving, sent, taken, spent, gained, old, replacing; rewrite E; reflexivity).
    unfold W2, target. rewrite E. simpl. trivial.
  Qed.

  (** ** Action D *)

  Section Exchange.
    Variables (u v : Card) (s : Sign) (E : list Shift) (l : Laid) (x : Cell) (y : Old).
    Hypothesis is_D : a now = D u s v E l x y.
    Hypothesis pays : ACT05 now = true.
    Hypothesis takes : ACT06 now = true.

    Let given : list Card := u :: v :: map card E.

    Lemma sent_is : sent now = members [u; v].
    Proof. unfold sent. rewrite is_D. reflexivity. Qed.

    Lemma spent_in : forall c, In c (spent now) <-> In c (map card E).
    Proof.
      intros c. unfold spent. rewrite is_D. rewrite members_in.
      replace (each E (fun e => [card e])) with (map card E); [tauto |].
      unfold each. clear. induction E; simpl; f_equal; trivial.
    Qed.

    Lemma leaving_is : leaving now = union (sent now) (spent now).
    Proof. unfold leaving. rewrite is_D. reflexivity. Qed.

    Lemma spent_once : NoDup (spent now).
    Proof. unfold spent. rewrite is_D. apply members_nodup. Qed.

    Lemma leaving_once : NoDup (leaving now).
    Proof. rewrite leaving_is. apply union_once; [rewrite sent_is; apply members_nodup | apply spent_once].
      Qed.

    Lemma leaving_in : forall c, In c (leaving now) <-> In c given.
    Proof.
      intros c. rewrite leaving_is, union_in, sent_is, members_in, spent_in. unfold given. simpl. tauto.
    Qed.

    (** ACT05: "different cards, all of them one's own". *)
    Lemma given_own : incl (leaving now) own1.
    Proof.
      unfold ACT05 in pays. rewrite is_D, !both_true in pays. destruct pays as [[[[_ O] _] _] _].
      destruct (own1_is now q h table top) as (o & Q & I). rewrite Q in O. cbn [bind holds] in O.
      intros c J. rewrite leaving_is in J. apply I. apply (proj1 (subset_incl _ _) O). trivial.
    Qed.

    Lemma given_once : NoDup given /\ Permutation (leaving now) given.
    Proof.
      assert (N : NoDup given).
      { apply NoDup_incl_NoDup with (leaving now); [apply leaving_once | | intros c; apply leaving_in].
        unfold ACT05 in pays. rewrite is_D, !both_true in pays. destruct pays as [[[[O _] _] _] _].
        apply (proj1 (same_true _ _)) in O. rewrite leaving_is. unfold given, length_of in *. simpl.
        rewrite map_length. lia. }
      split; trivial. apply same_members; trivial; [apply leaving_once | apply leaving_in].
    Qed.

    (** ACT06: the Reserve gives the card that is laid. *)
    Lemma reserve_gives : Permutation (map card_of (u :: v :: R now)) (card_of (face_of l) :: map card_of
      (R2 now)).
    Proof.
      change (card_of (face_of l) :: map card_of (R2 now)) with (map card_of (face_of l :: R2 now)).
      apply Permutation_map.
      assert (T : taken now = [face_of l]) by (unfold taken; rewrite is_D; destruct l; reflexivity).
      assert (I : In (face_of l) (union (R now) (sent now))).
      { unfold ACT06 in takes. rewrite is_D, both_true in takes. destruct takes as [I _]. apply mem_in.
        destruct l; exact I. }
      assert (NR : NoDup (R now)).
      { pose proof (in_one_place _ _ _ table) as N. do 4 (apply app_once in N; destruct N as (_ & N & _)).
        apply app_once in N. apply N. }
      destruct given_once as [N _]. unfold given in N. inversion N as [| ? ? N1 N2]; subst.
      inversion N2; subst.
      assert (U : forall c, In c given -> ~ In c (R now)).
      { intros c J. apply leaving_in, given_own, own_elsewhere in J. tauto. }
      apply same_members.
      - constructor; [| constructor; trivial; apply U; simpl; tauto].
        intros [-> | J]; [apply N1; simpl; tauto | revert J; apply U; simpl; tauto].
      - unfold R2. rewrite T. constructor; [rewrite without_in; simpl; tauto |].
        apply without_once, union_once; trivial. rewrite sent_is. apply members_nodup.
      - intros c. unfold R2. rewrite T. simpl. rewrite without_in. rewrite union_in, sent_is, members_in in *.
        simpl in *. destruct (same_spec c (face_of l)); [subst | ]; intuition congruence.
    Qed.

    Lemma gone_gets : Permutation (map card_of (map card E) ++ map card_of (G now)) (map card_of (G2 now)).
    Proof.
      rewrite <- map_app. apply Permutation_map. unfold G2.
      assert (NG : NoDup (G now)).
      { pose proof (in_one_place _ _ _ table) as N. do 5 (apply app_once in N; destruct N as (_ & N & _)).
        trivial. }
      destruct given_once as [N _]. unfold given in N. inversion N as [| ? ? _ N2]; subst.
      inversion N2; subst.
      assert (U : forall c, In c (map card E) -> ~ In c (G now)).
      { intros c J. assert (K : In c given) by (unfold given; simpl; tauto).
        apply leaving_in, given_own, own_elsewhere in K. tauto. }
      apply same_members.
      - apply once_app; trivial.
      - apply union_once; trivial. apply spent_once.
      - intros c. rewrite in_app_iff, union_in, spent_in. tauto.
    Qed.

    (** What is sent and destroyed leaves; the other cards stay one's own, and a card picked up joins them. *)
    Lemma own_moves : NoDup (gained now) -> (forall c, In c (gained now) -> ~ In c own1) ->
      Permutation (map card_of (d now ++ own_of (H now) (f now) q) ++ map card_of (gained now))
        (card_of u :: card_of v :: map card_of (map card E) ++ map card_of (own_of (H2 now) (f2 now) q)).
    Proof.
      intros G J. destruct given_once as [_ GP].
      change (card_of u :: card_of v :: map card_of (map card E) ++ map card_of (own_of (H2 now) (f2 now)
        q)) with
        (map card_of given ++ map card_of (own_of (H2 now) (f2 now) q)).
      rewrite <- !map_app. apply Permutation_map. rewrite own_before, own_after.
      eapply perm_trans; [apply Permutation_app_tail; exact (draw_joins now q h table top) |].
      eapply perm_trans; [apply (action_moves now q h table top); trivial |].
      - apply leaving_once.
      - apply given_own.
      - apply Permutation_app_tail. exact GP.
    Qed.

    (** "To an empty cell". *)
    Lemma exchanges : y = Nothing -> TOW06 now = true ->
      exists e, Account.does (desk_before now q) (action_of now) e /\ alike e (desk_after now q).
    Proof.
      intros Y T. assert (N : ~ In x (dom (W now))).
      { apply empty_cell; trivial. unfold new. rewrite is_D, Y. trivial. }
      assert (G : gained now = []) by (unfold gained, old; rewrite is_D, Y; reflexivity).
      eexists. split.
      - unfold desk_before, action_of. rewrite is_D, Y. apply Account.does_D with
          (h' := map card_of (own_of (H2 now) (f2 now) q)) (R' := map card_of (R2 now)).
        + pose proof own_moves as M. rewrite G, app_nil_r in M. apply M; [constructor | intros c []].
        + rewrite face_laid. exact reserve_gives.
        + apply not_a_cell, N.
      - unfold alike, desk_after. cbn [Account.hand Account.tow Account.row Account.out Account.off].
        repeat split; trivial; [| apply gone_gets |
          symmetry; apply moved_as_it_was; unfold replacing; rewrite is_D, Y; trivial].
        unfold W2, target, lies. rewrite is_D. simpl. rewrite laid_on_empty, tower_app by trivial.
        apply Permutation_cons_append.
    Qed.

    (** ACT07: what is replaced lies on the cell. *)
    Lemma replaced_lies : y <> Nothing -> ACT07 now = true ->
      exists k, look (W now) x = Some k /\ old now = Some (face_of k) /\ replacing now = true.
    Proof.
      intros Y L. unfold ACT07 in L. rewrite is_D in L. unfold old, replacing. rewrite is_D.
      destruct y as [| k |]; [congruence | |].
      - cbn [same Old_eq same_Old negb] in L. rewrite !both_true in L. destruct L as [[[L _] _] _].
        destruct (look (W now) x) as [k' |] eqn:K; [| discriminate]. cbn [bind holds] in L.
        apply (proj1 (same_true _ _)) in L. rewrite <- L. exists k. destruct k; auto.
      - cbn [same Old_eq same_Old negb] in L. rewrite !both_true in L. destruct L as [[[[L _] _] _] _].
        destruct (look (W now) x) as [[k | k] |]; try discriminate. exists (Down k). auto.
    Qed.

    (** "In place of one that comes to the player". *)
    Lemma replaces : y <> Nothing -> ACT07 now = true -> levels now = 7 ->
      exists e, Account.does (desk_before now q) (action_of now) e /\ alike e (desk_after now q).
    Proof.
      intros Y L S. destruct (replaced_lies Y L) as (k & K & O & Re).
      destruct (look_split _ _ _ _ _ K (one_on_a_cell _ _ _ table)) as (V & U & EW & EM).
      assert (G : gained now = [face_of k]) by (unfold gained; rewrite O; reflexivity).
      assert (J : ~ In (face_of k) own1).
      { intros I. apply own_elsewhere in I. destruct I as [I _]. apply I. rewrite EW, map_app.
        apply in_or_app.
        right. left. trivial. }
      destruct given_once as [_ GP].
      assert (I : In (face_of k) (own_of (H2 now) (f2 now) q)).
      { assert (P : Permutation (own1 ++ gained now) (leaving now ++ own_cards (hand2 now h) (f2 now) q)).
        { apply (action_moves now q h table top); [apply leaving_once | | apply given_own |];
            rewrite G; [repeat constructor; simpl; tauto | intros c [<- | []]; trivial]. }
        rewrite own_after. rewrite G in P.
        assert (T : In (face_of k) (own1 ++ [face_of k])) by (apply in_or_app; simpl; tauto).
        apply (Permutation_in _ P) in T. apply in_app_or in T. destruct T as [T | T]; trivial.
        exfalso. apply J, given_own, T. }
      apply in_split in I. destruct I as (b & e & I).
      assert (old_is : match y with Nothing => None | _ => option_map laid_of (look (W now) x) end =
        Some (laid_of k)) by (rewrite K; destruct y; trivial; congruence).
      eexists. split.
      - unfold desk_before, action_of. rewrite is_D, old_is, EW, tower_app.
        apply Account.does_D_replacing with
          (h' := map card_of (b ++ e)) (R' := map card_of (R2 now)).
        + pose proof own_moves as M. rewrite G in M.
          specialize (M ltac:(repeat constructor; simpl; tauto) ltac:(intros c [<- | []]; trivial)).
          rewrite I, (map_app card_of b (face_of k :: e)) in M. rewrite (map_app card_of b e).
          apply without_the_card in M. exact M.
        + rewrite face_laid. exact reserve_gives.
      - unfold alike, desk_after. cbn [Account.hand Account.tow Account.row Account.out Account.off].
        repeat split; [| | trivial | apply gone_gets |].
        + rewrite I, !map_app. destruct k; apply Permutation_middle.
        + unfold W2, target, lies. rewrite is_D. simpl. unfold over. simpl.
          rewrite EM, <- app_assoc, !tower_app. simpl.
          apply Permutation_app_head. apply Permutation_cons_append.
        + unfold moved2, target. rewrite is_D, Re. simpl. destruct (moved now); trivial. simpl.
          unfold g1. rewrite S. destruct x as [i j]. unfold cell_of, Cells.eqb, Account.g1. simpl.
          destruct (i =? 6); simpl; destruct (j =? 1); trivial.
    Qed.
  End Exchange.
End Action.

(** A legal action does to the cards what [Account.does] says. *)
Theorem action_does : forall now q h, about_to_draw now q h -> levels now = 7 ->
  DRW05 now = true -> ACT02 now = true -> ACT03 now = true -> ACT04 now = true -> ACT05 now = true ->
  ACT06 now = true -> ACT07 now = true -> TOW06 now = true ->
  exists e, Account.does (desk_before now q) (action_of now) e /\ alike e (desk_after now q).
Proof.
  intros now q h T S L2 A2 A3 A4 A5 A6 A7 T6. destruct (a now) as [c x | c x | x c | u s v E l x y |] eqn:E1.
  - exact (lays_up now q h T L2 c x E1 A2 T6).
  - exact (lays_down now q h T L2 c x E1 A3 T6).
  - exact (turns_up now q h T L2 c x E1 A4).
  - destruct (same_spec y Nothing) as [Y | Y].
    + exact (exchanges now q h T L2 u v s E l x y E1 A5 A6 Y T6).
    + exact (replaces now q h T L2 u v s E l x y E1 A5 A6 Y A7 S).
  - exact (does_nothing now q h T L2 E1).
Qed.

(** The account of table.md, Lemma 1, in the printed formulas: own cards, those drawn among them, and laid
    cards are as many before an action as after it, but for what D costs. *)
Corollary action_counts : forall now q h, about_to_draw now q h -> levels now = 7 ->
  DRW05 now = true -> ACT02 now = true -> ACT03 now = true -> ACT04 now = true -> ACT05 now = true ->
  ACT06 now = true -> ACT07 now = true -> TOW06 now = true ->
  (length (d now) + length (own_of (H now) (f now) q) + length (W now) =
   length (own_of (H2 now) (f2 now) q) + length (W2 now) + Account.is_D (action_of now) +
   Account.spent (action_of now))%nat.
Proof.
  intros now q h T S L2 A2 A3 A4 A5 A6 A7 T6.
  destruct (action_does now q h T S L2 A2 A3 A4 A5 A6 A7 T6) as (e & D & P & Q & _).
  apply Account.does_counts in D. apply Permutation_length in P. apply Permutation_length in Q.
  unfold desk_before, desk_after, tower_of in *.
  cbn [Account.hand Account.tow] in *. rewrite !map_length, ?app_length in *. lia.
Qed.

(** The turn of [some_table] is such an action: it takes 44 and 17, gives the 25, and lays the 27 there. *)
Example replaces_25 :
  action_of some_table = Account.D (Table.Glass 44) (Table.Glass 17) [] (Table.Up (Table.Glass 27)) Account.g1
    (Some (Table.Up (Table.Glass 25))) /\
  map (fun clause => clause some_table) [DRW05; ACT02; ACT03; ACT04; ACT05; ACT06; ACT07; TOW06] =
    repeat true 8 /\
  desk_after some_table 1 =
    Account.Desk [Table.Glass 30; Table.Glass 6; Table.Glass 25;
      Table.F] [(Account.g1, Table.Up (Table.Glass 27))]
      (map Table.Glass [1; 50; 12; 33; 7; 44; 17]) [] true.
Proof. vm_compute. auto. Qed.
