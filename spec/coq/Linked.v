(** The printed formulas beside Account.v: what a draw does to the cards, and what an action takes off the own
    cards (step.md, "After the draw" and "After the action"). *)

From Coq Require Import String List ZArith Lia Bool Permutation.
From Couperation Require Import FormulaPrelude FormulaLemmas Formulas.
From Couperation Require Table Account.
Import ListNotations.
Open Scope Z_scope.

(** * Own cards *)

(** The own cards of player q: a hand, and F where it lies in front of q. *)
Definition own_cards (h : list Card) (front : option Z) (q : Z) : list Card :=
  h ++ (if same front (Some q) then [F] else []).

Lemma own_in : forall h front q c, In c (own_cards h front q) <-> In c h \/ (c = F /\ front = Some q).
Proof.
  intros h front q c. unfold own_cards. rewrite in_app_iff.
  destruct (same_spec front (Some q)); simpl; intuition congruence.
Qed.

Lemma own_once : forall h front q, NoDup h -> ~ In F h -> NoDup (own_cards h front q).
Proof.
  intros h front q N I. apply once_app; trivial.
  - destruct (same front (Some q)); repeat constructor; simpl; tauto.
  - intros c J K. destruct (same front (Some q)); simpl in K; [| tauto]. destruct K as [<- | K]; tauto.
Qed.

Definition face_of (l : Laid) : Card := match l with Up c => c | Down c => c end.

(** The table before the draw of player q, whose hand is h. Each card is in one place (step.md, "What stays
    true"): in this hand, in front of somebody, in the deck, the tower or the Reserve, or gone.
    F is in no hand
    (DRW06, ACT07), and on each cell lies one card. *)
Record about_to_draw (now : Now) (q : Z) (h : list Card) : Prop := {
  player : p now = Some q;
  in_hand : look (H now) q = Some h;
  in_one_place : NoDup (h ++ (if defined (f now) then [F] else []) ++ K now ++
    map (fun e => face_of (snd e)) (W now) ++ R now ++ G now);
  not_in_hand : ~ In F h;
  one_on_a_cell : NoDup (dom (W now))
}.

(** * After the draw *)

(** DRW05: drawn and filled is the top of the deck. *)
Lemma drawn_from_top : forall now, DRW05 now = true -> exists rest, K now = d now ++ fill now ++ rest.
Proof.
  intros now L. unfold DRW05 in L. rewrite !both_true, !for_all_in in L. destruct L as [[_ D] L].
  destruct (starts_with Card (d now) (K now)) as [r E].
  { intros i I. apply holds_same, D, I. }
  destruct (starts_with Card (fill now) r) as [r' E'].
  { intros i I. specialize (L i I). rewrite E, item_after in L by (apply places_in in I; lia).
    apply holds_same, L. }
  exists r'. congruence.
Qed.

Section Draw.
  Variables (now : Now) (q : Z) (h : list Card).
  Hypothesis table : about_to_draw now q h.
  Hypothesis top : DRW05 now = true.

  Definition hand1 : list Card := union h (without (d now) [F]).

  (** What is drawn is drawn once, is in no hand, and is not F where F lies in front. *)
  Lemma drawn_once : NoDup (d now) /\ (forall c, In c (d now) -> ~ In c h) /\ NoDup h /\
    (f now <> None -> ~ In F (d now)).
  Proof.
    pose proof (in_one_place _ _ _ table) as N. destruct (drawn_from_top now top) as [r E]. rewrite E in N.
    apply app_once in N. destruct N as (A & N & B). apply app_once in N. destruct N as (_ & N & C).
    rewrite <- app_assoc in N. apply app_once in N. destruct N as (D & _ & _). repeat split; trivial.
    - intros c I J. apply (B c J). rewrite !in_app_iff. tauto.
    - intros I J. destruct (f now); [| congruence]. apply (C F (or_introl eq_refl)). rewrite !in_app_iff.
      tauto.
  Qed.

  Lemma drawn_is : drawn now = d now.
  Proof.
    unfold drawn. rewrite (player _ _ _ table). simpl. rewrite each_one. apply members_once. apply drawn_once.
  Qed.

  Lemma hand_after_draw : look (H1 now) q = Some hand1.
  Proof.
    unfold H1. rewrite look_over, (player _ _ _ table). simpl. rewrite (in_hand _ _ _ table). simpl.
    rewrite Z.eqb_refl, drawn_is. reflexivity.
  Qed.

  Lemma front_after_draw : f1 now = if mem F (d now) then Some q else f now.
  Proof. unfold f1. rewrite drawn_is, (player _ _ _ table). reflexivity. Qed.

  (** In a legal turn [unnamed] is empty (after-a-broken-rule.md). *)
  Lemma nothing_unnamed : unnamed now = [].
  Proof.
    destruct drawn_once as (_ & B & _). unfold unnamed.
    rewrite drawn_is, (player _ _ _ table). simpl. rewrite (in_hand _ _ _ table). simpl.
    rewrite (without_all (d now) h B).
    replace (glass_drawn now) with (length_of (without (d now) [F])); [rewrite Z.ltb_irrefl; reflexivity |].
    unfold glass_drawn.
    rewrite (each_place Card bool
      (fun o => if holds (let? c := o in Some (negb (same c F))) then [true] else [])).
    unfold length_of. f_equal. cbn [bind holds].
    rewrite (each_test Card bool (fun c => negb (same c F))). unfold without. f_equal. apply filter_ext.
    intros c. unfold mem. destruct (same c F); trivial.
  Qed.

  Lemma hand1_once : NoDup hand1 /\ ~ In F hand1.
  Proof.
    destruct drawn_once as (A & B & C & _). split.
    - apply union_once; trivial. apply without_once. trivial.
    - unfold hand1. rewrite union_in, without_in. simpl. pose proof (not_in_hand _ _ _ table). tauto.
  Qed.

  (** The own cards after the draw are those before it and what was drawn. *)
  Theorem draw_joins : Permutation (d now ++ own_cards h (f now) q) (own_cards hand1 (f1 now) q).
  Proof.
    destruct drawn_once as (A & B & C & G). destruct hand1_once as (N & I).
    pose proof (not_in_hand _ _ _ table) as NF.
    apply same_members.
    - apply once_app; trivial; [apply own_once; trivial |].
      intros c J O. apply own_in in O. destruct O as [O | [-> O]]; [exact (B c J O) | apply G; congruence].
    - apply own_once; trivial.
    - intros c. rewrite in_app_iff, !own_in, front_after_draw. unfold hand1. rewrite union_in, without_in.
      simpl.
      destruct (mem F (d now)) eqn:M; [apply mem_in in M | apply mem_out in M].
      + assert (f now = None) as -> by (destruct (f now); trivial; exfalso; apply G; congruence).
        destruct (same_spec c F); [subst; intuition | intuition congruence].
      + destruct (same_spec c F); [subst; intuition | intuition congruence].
  Qed.

  (** [own1] is the set of the own cards after the draw. *)
  Lemma own1_is : exists s, own1 now = Some s /\ forall c, In c s <-> In c (own_cards hand1 (f1 now) q).
  Proof.
    unfold own1. rewrite (player _ _ _ table). cbn [bind holds].
    rewrite hand_after_draw, nothing_unnamed. cbn [bind].
    destruct (f1 now) as [g |] eqn:G; cbn [bind holds].
    - destruct (same_spec g q) as [-> | Ne]; eexists; (split; [reflexivity |]); intros c;
        rewrite own_in, !union_in; simpl; intuition congruence.
    - eexists. split; [reflexivity |]. intros c. rewrite own_in, union_in. simpl. intuition congruence.
  Qed.

  (** * After the action *)

  Definition hand2 : list Card := union (without hand1 (leaving now)) (without (gained now) [F]).

  Lemma hand_after_action : look (H2 now) q = Some hand2.
  Proof.
    unfold H2. rewrite look_over, (player _ _ _ table). cbn [bind]. rewrite hand_after_draw. cbn [bind kept].
    simpl. rewrite Z.eqb_refl. reflexivity.
  Qed.

  (** An action takes what leaves off the own cards, and what is gained joins them. *)
  Theorem action_moves :
    NoDup (leaving now) -> NoDup (gained now) -> incl (leaving now) (own_cards hand1 (f1 now) q) ->
    (forall c, In c (gained now) -> ~ In c (own_cards hand1 (f1 now) q)) ->
    Permutation (own_cards hand1 (f1 now) q ++ gained now) (leaving now ++ own_cards hand2 (f2 now) q).
  Proof.
    intros L G I J. destruct hand1_once as (N & NF).
    assert (NF2 : ~ In F hand2).
    { unfold hand2. rewrite union_in, !without_in. simpl. tauto. }
    assert (N2 : NoDup hand2) by (apply union_once; apply without_once; trivial).
    assert (front : f2 now = if mem F (gained now) then Some q else if mem F (leaving now) then None else f1
      now).
    { unfold f2. rewrite (player _ _ _ table). destruct (mem F (gained now)); trivial.
      destruct (mem F (leaving now)) eqn:M; cbn [negb].
      - apply mem_in, I, own_in in M. destruct M as [M | [_ M]]; [tauto |]. rewrite M. simpl.
        rewrite Z.eqb_refl. reflexivity.
      - destruct (holds _); reflexivity. }
    apply same_members.
    - apply once_app; trivial; [apply own_once; trivial |]. intros c A B. exact (J c B A).
    - apply once_app; trivial; [apply own_once; trivial |]. intros c A B. rewrite own_in, front in B.
      unfold hand2 in B. rewrite union_in, !without_in in B. specialize (J c). specialize (I c A).
      destruct B as [[B | B] | [-> B]]; [tauto | tauto |].
      destruct (mem F (gained now)) eqn:M; [apply mem_in in M; tauto |].
      rewrite (proj2 (mem_in _ _) A) in B. discriminate.
    - intros c. rewrite !in_app_iff. rewrite (own_in hand2), front. unfold hand2.
      rewrite union_in, !without_in. simpl.
      specialize (I c). specialize (J c). rewrite own_in in *.
      destruct (mem F (gained now)) eqn:M; [apply mem_in in M | apply mem_out in M];
        (destruct (mem F (leaving now)) eqn:M'; [apply mem_in in M' | apply mem_out in M']);
        (destruct (in_dec (fun x y => reflect_dec _ _ (same_spec x y)) c (leaving now));
         destruct (same_spec c F); [subst | | subst |]; intuition congruence).
  Qed.
End Draw.

(** * Example: a table of two players *)

Definition some_rulings : Rulings :=
  MakeRulings "floating" "adjacent" "strict" "strict" "integers" "any" "allowed" "each" "up" "no_win"
    "zero_each"
    "up_to" "opened" "25" "top" "yes" "loses" "next" "up_to" "nothing" "loses" "each" "no".

Definition some_game : Game :=
  MakeGame 7 50 25 3 3 2 [(2, 6); (3, 5); (4, 4)] ["Ada"; "Bo"]%string [] true
    [[Glass 17; Glass 30; Glass 44]; [Glass 9; Glass 21; Glass 38]]
    [Glass 1; Glass 50; Glass 12; Glass 33; Glass 40; Glass 7] [] [F; Glass 6; Glass 8] Unstated.

(** Ada draws F and a card, and sends 44 and 17 to lay the 27 that is their difference in place of the 25. *)
Definition some_turn : Turn :=
  MakeTurn 1 1 "Ada" [F; Glass 6] (D (Glass 44) Minus (Glass 17) [] (Up (Glass 27)) (MakeCell 6 1)
    (Was (Up (Glass 25)))) [] [] [].

Definition some_table : Now :=
  MakeNow some_rulings some_game some_turn
    (MakeState [(MakeCell 6 1, Up (Glass 25))]
      [(1, [Glass 17; Glass 30; Glass 44]); (2, [Glass 9; Glass 21; Glass 38])] None
      [Glass 1; Glass 50; Glass 12; Glass 33; Glass 27; Glass 7] [] [F; Glass 6; Glass 8]
      None None false false false false 0 1 Going).

Example can_be_met : about_to_draw some_table 1 [Glass 17; Glass 30; Glass 44].
Proof.
  split; try reflexivity.
  - match goal with |- NoDup ?l => change (NoDup (members l)); apply members_nodup end.
  - simpl. intuition congruence.
  - match goal with |- NoDup ?l => change (NoDup (members l)); apply members_nodup end.
Qed.

Example in_front : f1 some_table = Some 1 /\ own1 some_table = Some [Glass 17; Glass 30; Glass 44; Glass 6;
  F].
Proof. vm_compute. auto. Qed.
