(** Where the cards lie after a legal turn of the printed formulas (step.md, "After the fill" and "After the
    limits"; after-a-broken-rule.md). *)

From Coq Require Import String List ZArith Lia Bool Permutation.
From Couperation Require Import FormulaPrelude FormulaLemmas Formulas Linked LinkedActions.
From Couperation Require Cells Table Account.
Import ListNotations.
Open Scope Z_scope.

Definition faces_of (W : list (Cell * Laid)) : list Card := map (fun e => face_of (snd e)) W.

Definition card_back (c : Table.card) : Card := match c with Table.Glass v => Glass v | Table.F => F end.

Lemma there_and_back : forall l, map card_back (map card_of l) = l.
Proof. intros l. rewrite map_map. induction l as [| [v |] l IH]; simpl; f_equal; trivial. Qed.

Lemma faces_tower : forall W, Account.faces (tower_of W) = map card_of (faces_of W).
Proof.
  intros W. unfold Account.faces, tower_of, faces_of. rewrite !map_map. apply map_ext. intros [x l].
  apply face_laid.
Qed.

(** How often a card is in a list. *)
Definition dec (c e : Card) : {c = e} + {c <> e} := reflect_dec _ _ (same_spec c e).
Definition copies (l : list Card) (c : Card) : nat := count_occ dec l c.

Lemma copies_app : forall l m c, copies (l ++ m) c = (copies l c + copies m c)%nat.
Proof. intros. apply count_occ_app. Qed.

Lemma copies_same : forall l m, Permutation l m <-> forall c, copies l c = copies m c.
Proof. intros l m. apply Permutation_count_occ. Qed.

Arguments copies : simpl never.

(** F where it lies in front of somebody, and of somebody else than q. *)
Definition in_front (front : option Z) : list Card := if defined front then [F] else [].
Definition in_front_of_others (front : option Z) (q : Z) : list Card :=
  match front with Some g => if same g q then [] else [F] | None => [] end.

Lemma front_parts : forall h front q,
  Permutation (h ++ in_front front) (own_cards h front q ++ in_front_of_others front q).
Proof.
  intros h [g |] q; unfold own_cards, in_front, in_front_of_others; simpl; [| rewrite !app_nil_r; trivial].
  destruct (g =? q); simpl; rewrite ?app_nil_r; trivial.
Qed.

(** The clauses that are asked of a turn so that its cards are moved right. *)
Definition cards_right (now : Now) : Prop :=
  Forall (fun clause => clause now = true) [DRW05; ACT02; ACT03; ACT04; ACT05; ACT06; ACT07; TOW06; LIM01;
    SET06] /\
  levels now = 7 /\ 0 < t now.

Section Turn.
  Variables (now : Now) (q : Z) (h : list Card).
  Hypothesis table : about_to_draw now q h.
  Hypothesis right : cards_right now.

  Lemma top : DRW05 now = true.
  Proof. destruct right as [R _]. inversion R. trivial. Qed.

  (** The action moves cards, and neither makes nor loses one. *)
  Lemma action_keeps :
    Permutation ((d now ++ own_of (H now) (f now) q) ++ faces_of (W now) ++ R now ++ G now)
      (own_of (H2 now) (f2 now) q ++ faces_of (W2 now) ++ R2 now ++ G2 now).
  Proof.
    destruct right as [L [S _]]. do 8 (inversion L as [| ? ? ?E L']; subst; clear L; rename L' into L).
    destruct (action_does now q h table S) as (e & D & P1 & P2 & P3 & P4 & _); trivial.
    pose proof (Account.does_keeps _ _ _ D) as K.
    cut (Permutation (map card_of ((d now ++ own_of (H now) (f now) q) ++ faces_of (W now) ++ R now ++ G now))
      (map card_of (own_of (H2 now) (f2 now) q ++ faces_of (W2 now) ++ R2 now ++ G2 now))).
    { intros P. apply (Permutation_map card_back) in P. rewrite !there_and_back in P. exact P. }
    apply Account.same_copies. intros c. specialize (K c).
    assert (P2' : Permutation (Account.faces (Account.tow e)) (Account.faces (Account.tow (desk_after now
      q)))).
    { unfold Account.faces. apply Permutation_map. tauto. }
    apply Account.copies_same with (c := c) in P1.
    apply Account.copies_same with (c := c) in P2'. apply Account.copies_same with (c := c) in P3.
    apply Account.copies_same with (c := c) in P4.
    rewrite P1, P2', P3, P4 in K. unfold desk_before, desk_after in K.
    cbn [Account.hand Account.tow Account.row Account.out] in K. rewrite !faces_tower in K.
    rewrite !map_app, !Account.copies_app in *. lia.
  Qed.

  Let own2 : list Card := own_cards (hand2 now h) (f2 now) q.
  Let others : list Card := in_front_of_others (f now) q.

  (** What was moved by draw and action, where it lies then; [rest] is left of the deck. *)
  Lemma moved_cards : exists rest, K now = d now ++ fill now ++ rest /\
    Permutation (h ++ in_front (f now) ++ K now ++ faces_of (W now) ++ R now ++ G now)
      (own2 ++ fill now ++ rest ++ faces_of (W2 now) ++ R2 now ++ G2 now ++ others) /\
    NoDup (own2 ++ fill now ++ rest ++ faces_of (W2 now) ++ R2 now ++ G2 now ++ others).
  Proof.
    destruct (drawn_from_top now top) as [rest E]. exists rest. split; trivial.
    assert (P : Permutation (h ++ in_front (f now) ++ K now ++ faces_of (W now) ++ R now ++ G now)
      (own2 ++ fill now ++ rest ++ faces_of (W2 now) ++ R2 now ++ G2 now ++ others)).
    { pose proof action_keeps as A. rewrite (own_before now q h table), (own_after now q h table top) in A.
      pose proof (front_parts h (f now) q) as B. rewrite E. unfold own2, others.
      rewrite copies_same in *. intros c. specialize (A c). specialize (B c).
      rewrite !copies_app in *. lia. }
    split; trivial. apply (Permutation_NoDup P). exact (in_one_place _ _ _ table).
  Qed.

  (** * After the fill *)

  Definition hand3 : list Card := union (hand2 now h) (without (fill now) [F]).

  Lemma fill_once : NoDup (fill now).
  Proof.
    destruct moved_cards as (rest & _ & _ & N). apply app_once in N. destruct N as (_ & N & _).
    apply app_once in N. apply N.
  Qed.

  Lemma filled_is : filled now = fill now.
  Proof.
    unfold filled. rewrite (player _ _ _ table). simpl. rewrite each_one. apply members_once, fill_once.
  Qed.

  Lemma hand_after_fill : look (H3 now) q = Some hand3.
  Proof.
    unfold H3. rewrite look_over, (player _ _ _ table). cbn [bind].
    rewrite (hand_after_action now q h table top). cbn [bind kept]. simpl.
    rewrite Z.eqb_refl, filled_is. reflexivity.
  Qed.

  Lemma hand2_once : NoDup (hand2 now h) /\ ~ In F (hand2 now h).
  Proof.
    destruct moved_cards as (rest & _ & _ & N). apply app_once in N. destruct N as (N & _).
    unfold own2, own_cards in N. apply app_once in N. split; [apply N |].
    pose proof (hand1_once now q h table top) as [_ NF].
    unfold hand2. rewrite union_in, !without_in. simpl. tauto.
  Qed.

  (** What is filled joins the own cards. *)
  Lemma fill_joins : Permutation (own2 ++ fill now) (own_cards hand3 (f3 now) q).
  Proof.
    destruct moved_cards as (rest & _ & _ & N). pose proof N as N'. rewrite app_assoc in N'.
    apply app_once in N'. destruct N' as (N1 & _). apply app_once in N. destruct N as (_ & _ & D).
    destruct hand2_once as [A B]. apply same_members; trivial.
    - apply own_once.
      + apply union_once; trivial. apply without_once, fill_once.
      + unfold hand3. rewrite union_in, without_in. simpl. tauto.
    - intros c. rewrite in_app_iff. unfold own2 in *. rewrite !own_in in *. unfold f3, hand3.
      rewrite filled_is, (player _ _ _ table), union_in, without_in. simpl.
      destruct (mem F (fill now)) eqn:M; [apply mem_in in M | apply mem_out in M];
        (destruct (dec c F) as [-> |]; [| intuition congruence]); [| intuition congruence]. tauto.
  Qed.

  (** * Where what was moved lies *)

  Let own3 : list Card := own_cards hand3 (f3 now) q.

  Lemma apart : exists rest, K now = d now ++ fill now ++ rest /\
    NoDup (own3 ++ rest ++ faces_of (W2 now) ++ R2 now ++ G2 now ++ others).
  Proof.
    destruct moved_cards as (rest & E & _ & N). exists rest. split; trivial.
    refine (Permutation_NoDup _ N). rewrite app_assoc. apply Permutation_app_tail. exact fill_joins.
  Qed.

  (** LIM01: what is dropped is dropped once, out of the hand. *)
  Lemma nothing_unfilled : unfilled now = [].
  Proof.
    destruct moved_cards as (rest & _ & _ & N). apply app_once in N. destruct N as (_ & _ & D).
    assert (B : forall c, In c (fill now) -> ~ In c (hand2 now h)).
    { intros c I J. apply (D c); [apply own_in; tauto | apply in_or_app; tauto]. }
    unfold unfilled. rewrite filled_is, (player _ _ _ table). cbn [bind].
    rewrite (hand_after_action now q h table top). cbn [bind]. rewrite (without_all _ _ B).
    replace (glass_filled now) with (length_of (without (fill now) [F])).
    { cbn [holds]. change (members [F]) with [F]. rewrite Z.ltb_irrefl. reflexivity. }
    unfold glass_filled.
    rewrite (each_place Card bool
      (fun o => if holds (let? c := o in Some (negb (same c F))) then [true] else [])).
    unfold length_of. f_equal. cbn [bind holds].
    rewrite (each_test Card bool (fun c => negb (same c F))). unfold without. f_equal. apply filter_ext.
    intros c. unfold mem. destruct (same c F); trivial.
  Qed.

  Lemma drops : NoDup (drop now) /\ incl (drop now) hand3.
  Proof.
    destruct right as [L _]. do 8 (inversion L as [| ? ? ?E L']; subst; clear L; rename L' into L).
    inversion L as [| ? ? E7 L']; subst. unfold LIM01 in E7. rewrite both_true in E7. destruct E7 as [A B].
    destruct (ended now ||| same (a now) Pass) eqn:C.
    - destruct (drop now); [| discriminate]. split; [constructor | intros c []].
    - destruct (ended now); [discriminate |]. destruct (same (a now) Pass); [discriminate |].
      cbn [negb] in B. rewrite !both_true in B. destruct B as [[_ I] N]. rewrite each_one in *. split.
      + apply members_length. apply (proj1 (same_true _ _)) in N. exact N.
      + unfold may_drop, spare in I. rewrite (player _ _ _ table) in I. cbn [bind] in I.
        rewrite hand_after_fill in I. cbn [bind holds] in I.
        rewrite (nothing_unnamed now q h table top), nothing_unfilled in I.
        apply (proj1 (subset_incl _ _)) in I. intros c J. apply members_in, I, union_in in J. simpl in J.
        tauto.
  Qed.

  (** SET06: what is trimmed is trimmed once, out of the Reserve. *)
  Lemma trims : NoDup (trim now) /\ incl (trim now) (R2 now).
  Proof.
    destruct right as [L [_ T]]. do 9 (inversion L as [| ? ? ?E L']; subst; clear L; rename L' into L).
    inversion L as [| ? ? E8 L']; subst. unfold SET06 in E8. cbv zeta in E8.
    rewrite both_true in E8. destruct E8 as [_ E8]. rewrite (proj2 (Z.ltb_lt _ _) T) in E8.
    rewrite both_true in E8. destruct E8 as [E8 I]. rewrite both_true in E8. destruct E8 as [_ N].
    rewrite each_one in N. split; [apply members_length, (proj1 (same_true _ _) N) |].
    rewrite for_all_in in I. intros c J. apply mem_in, I, J.
  Qed.

  (** The card that is laid or opened. *)
  Definition laid_card (c : Card) : Prop := exists l, lies now = Some l /\ c = face_of l.

  Lemma laid_lies : forall c, laid_card c -> In c (faces_of (W2 now)).
  Proof.
    intros c (l & L & ->). unfold W2, target. unfold lies in L. rewrite ?L. unfold lies.
    destruct (a now) as [e x | e x | x e | u s v E k x y |]; simpl in *; injection L as <- || discriminate L;
      unfold over, faces_of; rewrite map_app, in_app_iff; simpl; tauto.
  Qed.

  Lemma taken_laid : forall c, In c (taken now) -> laid_card c.
  Proof.
    intros c. unfold taken, laid_card, lies.
    destruct (a now) as [e x | e x | x e | u s v E k x y |]; simpl; try tauto.
    destruct k as [k | k]; simpl; intros [<- | []]; eexists; split; trivial; trivial.
  Qed.

  Lemma leaving_laid : forall c, In c (leaving now) -> laid_card c \/ In c (sent now) \/ In c (spent now).
  Proof.
    intros c. unfold leaving, laid_card, lies. destruct (a now) as [e x | e x | x e | u s v E k x y |];
      try (cbn; intros [<- | []]; left; eexists; split; trivial; trivial; fail);
      rewrite union_in; tauto.
  Qed.

  (** What is drawn and does not leave again, and what is gained, is one's own then. *)
  Lemma come : (forall c, In c (d now) -> ~ In c (leaving now) -> In c own3) /\ incl (gained now) own3.
  Proof.
    assert (S : incl own2 own3).
    { intros c I. apply (Permutation_in c fill_joins). apply in_or_app. tauto. }
    split.
    - intros c I J. apply S. unfold own2. rewrite own_in. unfold hand2, f2.
      pose proof (draw_joins now q h table top) as P.
      assert (K : In c (own_cards (hand1 now h) (f1 now) q)).
      { apply (Permutation_in c P). apply in_or_app. tauto. }
      rewrite union_in, !without_in. apply own_in in K. destruct K as [K | [-> K]]; [tauto |].
      rewrite K, (player _ _ _ table). rewrite (proj2 (mem_out _ _) J).
      destruct (mem F (gained now)); [tauto |]. destruct (holds _); simpl; tauto.
    - intros c I. apply S. unfold own2. rewrite own_in. unfold hand2, f2. rewrite union_in, !without_in.
      destruct (dec c F) as [-> | Ne]; simpl; [| intuition congruence].
      rewrite (proj2 (mem_in _ _) I). right. rewrite (player _ _ _ table). tauto.
  Qed.

  (** * The state before the next turn *)

  Lemma dropped_in : forall c, In c (dropped now) <-> In c (drop now) \/ In c (trim now).
  Proof. intros c. unfold dropped. rewrite union_in, !members_in, !each_one. tauto. Qed.

  Lemma at_gone_in : forall c, In c (at_gone now) <->
    (In c (drop now) \/ In c (trim now)) \/ In c (spent now) /\ ~ In c (taken now).
  Proof. intros c. unfold at_gone. rewrite union_in, without_in, dropped_in. tauto. Qed.

  Lemma at_tower_in : forall c, In c (at_tower now) <->
    laid_card c /\ ~ (In c (drop now) \/ In c (trim now)).
  Proof.
    intros c. unfold at_tower, laid_card. rewrite without_in, members_in, dropped_in.
    destruct (lies now) as [l |]; cbn [bind]; [| simpl; split; [tauto | intros [(l & L & _) _];
      discriminate]].
    replace (face now l) with (Some (face_of l)) by (destruct l; trivial). simpl.
    split; [intros [[<- | []] J]; eauto | intros [(k & L & ->) J]; injection L as <-; auto].
  Qed.

  Lemma at_reserve_in : forall c, In c (at_reserve now) <->
    (In c (sent now) /\ ~ In c (taken now)) /\ ~ In c (at_gone now).
  Proof. intros c. unfold at_reserve. rewrite !without_in. tauto. Qed.

  Lemma at_hand_in : forall c, In c (at_hand now) <->
    (In c (d now) /\ ~ In c (leaving now) \/ In c (gained now) \/ In c (fill now)) /\
    ~ In c (at_gone now) /\ ~ In c (at_tower now) /\ ~ In c (at_reserve now).
  Proof.
    intros c. unfold at_hand. rewrite !without_in, !union_in, without_in, filled_is,
      (drawn_is now q h table top). tauto.
  Qed.

  Lemma placed_in : forall c, In c (placed now) <->
    In c (at_gone now) \/ In c (at_tower now) \/ In c (at_reserve now) \/ In c (at_hand now).
  Proof. intros c. unfold placed. rewrite !union_in. tauto. Qed.

  Local Opaque at_hand at_gone at_tower at_reserve placed dropped leaving gained sent taken spent.

  (** Where a card lies that is named in a turn: nowhere else. *)
  Lemma where_they_lie : forall c,
    (In c (drop now) -> In c own3) /\ (In c (trim now) -> In c (R2 now)) /\ (In c (spent now) ->
      In c (G2 now)) /\
    (laid_card c -> In c (faces_of (W2 now))) /\ (In c (sent now) -> ~ In c (taken now) -> In c (R2 now)) /\
    (In c (taken now) -> In c (faces_of (W2 now))) /\
    (In c (d now) -> ~ In c (leaving now) -> In c own3) /\ (In c (gained now) -> In c own3) /\
    (In c (fill now) -> In c own3).
  Proof.
    intros c. destruct come as [A B]. repeat split; auto.
    - intros I. apply own_in. left. apply drops. trivial.
    - apply trims.
    - intros I. unfold G2. apply union_in. right. exact I.
    - apply laid_lies.
    - intros I J. unfold R2. rewrite without_in, union_in. tauto.
    - intros I. apply laid_lies, taken_laid, I.
    - intros I. apply (Permutation_in c fill_joins). apply in_or_app. tauto.
  Qed.

  (** A card lies in one of these places at most. *)
  Lemma one_place : exists rest, K now = d now ++ fill now ++ rest /\ forall c,
    (In c own3 -> ~ In c rest /\ ~ In c (faces_of (W2 now)) /\ ~ In c (R2 now) /\ ~ In c (G2 now) /\ ~ In c
      others) /\
    (In c rest -> ~ In c (faces_of (W2 now)) /\ ~ In c (R2 now) /\ ~ In c (G2 now) /\ ~ In c others) /\
    (In c (faces_of (W2 now)) -> ~ In c (R2 now) /\ ~ In c (G2 now) /\ ~ In c others) /\
    (In c (R2 now) -> ~ In c (G2 now) /\ ~ In c others) /\ (In c (G2 now) -> ~ In c others).
  Proof.
    destruct apart as (rest & E & N). exists rest. split; trivial. intros c.
    apply app_once in N. destruct N as (_ & N & D1). apply app_once in N. destruct N as (_ & N & D2).
    apply app_once in N. destruct N as (_ & N & D3). apply app_once in N. destruct N as (_ & N & D4).
    apply app_once in N. destruct N as (_ & _ & D5).
    specialize (D1 c). specialize (D2 c). specialize (D3 c). specialize (D4 c). specialize (D5 c).
    rewrite !in_app_iff in *. tauto.
  Qed.

  (** What a turn has placed is what it has put in the deck's stead: among the own cards, in the tower, in the
      Reserve or among the gone cards. *)
  Lemma placed_lies : forall c, In c (placed now) ->
    In c (at_hand now) /\ In c own3 \/ In c (drop now) /\ In c own3 \/
    In c (trim now) /\ In c (R2 now) \/ In c (at_reserve now) /\ In c (R2 now) \/
    laid_card c /\ In c (faces_of (W2 now)) \/ In c (at_gone now) /\ In c (G2 now).
  Proof.
    intros c I. destruct (where_they_lie c) as (P1 & P2 & P3 & P4 & P5 & P6 & P7 & P8 & P9).
    apply placed_in in I. destruct I as [I | [I | [I | I]]].
    - pose proof I as J. apply at_gone_in in I. destruct I as [[I | I] | [I _]]; auto 8.
    - apply at_tower_in in I. destruct I as [I _]. auto 8.
    - pose proof I as J. apply at_reserve_in in I. destruct I as [[I K] _]. auto 8.
    - left. split; [exact I |]. apply at_hand_in in I. destruct I as [[[I K] | [I | I]] _];
        [exact (P7 I K) | exact (P8 I) | exact (P9 I)].
  Qed.

  Ltac about c :=
    let O := fresh "O" in
    destruct one_place as (rest & E & O);
      destruct (O c) as (own_only & deck_only & tower_only & reserve_only & gone_only);
    clear O E; pose proof (placed_lies c) as L.

  (** "In a legal turn that is all": the Reserve loses what is trimmed, *)
  Lemma reserve_after : forall c, In c (R' now) <-> In c (R2 now) /\ ~ In c (trim now).
  Proof.
    intros c. about c. unfold R'. rewrite !without_in. split; intros [I J]; split; trivial.
    - intros T. assert (Go : In c (at_gone now)) by (apply at_gone_in; tauto).
      apply J. split; [apply placed_in; tauto |]. intros K. apply at_reserve_in in K. tauto.
    - intros [K N]. destruct (L K) as [[_ M] | [[_ M] | [[M _] | [[M _] | [[_ M] | [_ M]]]]]]; tauto.
  Qed.

  (** and the gone cards get that and what is dropped; *)
  Lemma gone_after : forall c, In c (G' now) <-> In c (G2 now) \/ In c (drop now) \/ In c (trim now).
  Proof.
    intros c. about c. unfold G'. rewrite !without_in, union_in, dropped_in. split; [tauto |]. intros I.
    split; [tauto |]. intros [K N]. destruct I as [I | I]; [| apply N, at_gone_in; tauto].
    destruct (L K) as [[_ M] | [[_ M] | [[_ M] | [[_ M] | [[_ M] | [M _]]]]]]; tauto.
  Qed.

  (** what was drawn has left the deck, and nothing else; *)
  Lemma deck_after : K now = d now ++ fill now ++ K' now.
  Proof.
    destruct one_place as (rest & E & O). rewrite E at 1. do 2 f_equal. unfold K'. cbv zeta.
    rewrite (each_place Card Card
      (fun o => if holds (let? c := o in Some (negb (mem c (placed now)))) then kept o else [])).
    rewrite E. cbn [bind holds kept].
    assert (G : forall l, each l (fun c => if negb (mem c (placed now)) then [c] else []) =
      without l (placed now)).
    { unfold each, without. induction l as [| c l IH]; simpl; trivial.
      destruct (mem c (placed now)); simpl; congruence. }
    rewrite G. unfold without. rewrite !filter_app. fold (without (d now) (placed now)).
    fold (without (fill now) (placed now)). fold (without rest (placed now)).
    assert (none : forall l, (forall c, In c l -> In c (placed now)) -> without l (placed now) = []).
    { clear. intros l A. destruct (without l (placed now)) as [| c m] eqn:E; trivial. exfalso.
      assert (I : In c (without l (placed now))) by (rewrite E; left; trivial).
      apply without_in in I. apply I, A. tauto. }
    assert (come_down : forall c,
      In c (d now) /\ ~ In c (leaving now) \/ In c (gained now) \/ In c (fill now) ->
      In c (placed now)).
    { intros c I. apply placed_in. destruct (in_dec dec c (at_gone now)); [tauto |].
      destruct (in_dec dec c (at_tower now)); [tauto |]. destruct (in_dec dec c (at_reserve now)); [tauto |].
      right. right. right. apply at_hand_in. tauto. }
    rewrite (none (d now)), (none (fill now)).
    - symmetry. apply without_all. intros c I J. destruct (O c) as (O1 & O2 & _).
      destruct (O2 I) as (A & B & C & _).
      destruct (placed_lies c J) as [[_ M] | [[_ M] | [[_ M] | [[_ M] | [[_ M] | [_ M]]]]]]; tauto.
    - intros c I. apply come_down. tauto.
    - intros c I. destruct (in_dec dec c (leaving now)) as [V | V]; [| apply come_down; tauto].
      assert (T : laid_card c -> In c (placed now)).
      { intros A. apply placed_in. destruct (in_dec dec c (at_gone now)); [tauto |]. right. left.
        apply at_tower_in. split; trivial. intros B. apply n. apply at_gone_in. tauto. }
      apply leaving_laid in V. destruct (in_dec dec c (taken now)) as [A | A]; [apply T, taken_laid, A |].
      destruct V as [V | [V | V]]; [auto | |]; apply placed_in.
      + destruct (in_dec dec c (at_gone now)); [tauto |]. right. right. left. apply at_reserve_in. tauto.
      + left. apply at_gone_in. tauto.
  Qed.

  (** F is in front of whom it was; *)
  Lemma front_after : f' now = f3 now.
  Proof.
    unfold f'. destruct (mem F (union (union (at_gone now) (at_tower now)) (at_reserve now))) eqn:M;
      [| trivial].
    apply mem_in in M. rewrite !union_in in M. simpl.
    assert (N : forall g, f3 now = Some g ->
      False); [| destruct (f3 now) as [g |]; [destruct (N g) |]; trivial].
    intros g T. destruct one_place as (rest & E & O). destruct (O F) as (O1 & _ & O3 & O4 & O5).
    assert (B : In F (at_gone now) \/ In F (at_tower now) \/ In F (at_reserve now) ->
      In F (faces_of (W2 now)) \/ In F (R2 now) \/ In F (G2 now)).
    { destruct (where_they_lie F) as (_ & P2 & P3 & P4 & P5 & _). destruct drops as [_ I].
      destruct hand2_once as [_ NF].
      intros [C | [C | C]].
      - apply at_gone_in in C. destruct C as [[C | C] | [C _]]; auto. exfalso. apply I in C.
        unfold hand3 in C.
        rewrite union_in, without_in in C. simpl in C. tauto.
      - apply at_tower_in in C. destruct C as [C _]. auto.
      - apply at_reserve_in in C. destruct C as [[C D] _]. auto. }
    assert (C : In F own3 \/ In F others); [| destruct C as [C | C]; [apply O1 in C | ]; tauto].
    destruct (same_spec g q) as [-> | Ne]; [left; apply own_in; tauto | right].
    unfold others, in_front_of_others.
    assert (f now = Some g) as ->.
    { unfold f3 in T. rewrite filled_is, (player _ _ _ table) in T.
      destruct (mem F (fill now)); [congruence |].
      unfold f2 in T. rewrite (player _ _ _ table) in T. destruct (mem F (gained now)); [congruence |].
      destruct (_ : bool) in T; [| discriminate].
      rewrite (front_after_draw now q h table top) in T. destruct (mem F (d now)); congruence. }
    destruct (same_spec g q); [congruence | left; trivial].
  Qed.

  (** and the tower is as the action left it. *)
  Lemma tower_after : W' now = W2 now.
  Proof.
    assert (N : NoDup (dom (W2 now))).
    { pose proof (one_on_a_cell _ _ _ table) as N. unfold W2, target, lies.
      destruct (a now); simpl; trivial; apply over_once; trivial. }
    assert (NF : NoDup (faces_of (W2 now))).
    { destruct apart as (rest & _ & M). do 2 (apply app_once in M; destruct M as (_ & M & _)).
      apply app_once in M. apply M. }
    assert (T : forall l, lies now = Some l -> exists x, touched2 now = Some x /\ In (x, l) (W2 now)).
    { intros l L. unfold lies in L. unfold touched2, W2, target, lies. destruct (a now); simpl in *;
        try discriminate; injection L as <-; eexists; (split; [reflexivity |]); apply in_or_app; simpl;
          tauto. }
    unfold W'. cbv zeta. erewrite (all_kept _ _ (W2 now) _ (fun _ v => v)); trivial.
    - rewrite <- (map_id (W2 now)) at 2. apply map_ext. intros [x l]. trivial.
    - intros x k I. rewrite (look_in _ _ _ _ _ N I). cbn [bind].
      assert (J : face now k = Some (face_of k)) by (destruct k; trivial). rewrite J. cbn [bind holds].
      destruct (mem (face_of k) (placed now)) eqn:M; [cbn [negb] | trivial].
      apply mem_in in M. assert (Fa : In (face_of k) (faces_of (W2 now))).
      { change (face_of k) with (face_of (snd (x, k))). unfold faces_of.
        apply (in_map (fun e => face_of (snd e))). trivial. }
      about (face_of k). destruct (L M) as [[_ V] | [[_ V] | [[_ V] | [[_ V] | [[V _] | [_ V]]]]]]; try tauto.
      pose proof V as Q. destruct V as (l & S & Fe). destruct (T l S) as (y & Ty & Iy).
      assert ((x, k) = (y, l)) as Eq by (apply (once_by _ _ (fun e => face_of (snd e)) (W2 now)); trivial).
      injection Eq as -> ->. rewrite Ty. cbn [bind holds]. rewrite same_refl. cbn [bind holds].
      apply mem_in, at_tower_in. split; trivial. intros [D | D]; [| apply trims in D; tauto].
      assert (In (face_of l) own3) by (apply own_in; left; apply drops, D). tauto.
  Qed.
End Turn.
