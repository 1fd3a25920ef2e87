(** Positions, places and worlds: certificate.md, "What the position says". *)

From Coq Require Import List ZArith Lia Bool Sorted.
From Couperation Require Import Lists Cells Windows EarliestDeadline Tower.
Import ListNotations.
Open Scope Z_scope.

(** [replace_target]: which up cards action D may replace. *)
Inductive replace_target := AnyCard | NotAnchor | FacedownOnly.

(** A board of so many levels, with the cards 1 to [greatest] and the card [first] on it from the set-up
    on. *)
Record board := Board { rows : nat; greatest : Z; first : Z }.
Definition printed : board := Board levels 50 25.

(** Cards are [None] where they are not told. A laid card is a cell, a card, and whether it lies up. [deck] is
    what the line says: in all the deck has the cards that lie nowhere else. F in front of a player is in
    [hands]. *)
Record position := Position {
  on : board;
  variant : bool;                     (* the variant finish *)
  middle : bool;                      (* [anchor] is middle, not floating *)
  row_order : order; between : order; value_of_finish : finish_value; target : replace_target;
  laid : list (cell * option card * bool);
  hands : list (option card); reserve : list (option card);
  gone : list (option card); deck : list (option card) }.

Definition cell_of (x : cell * option card * bool) : cell := fst (fst x).
Definition card_of (x : cell * option card * bool) : option card := snd (fst x).
Definition lies_up (x : cell * option card * bool) : bool := snd x.

Definition seen_cards (l : list (option card)) : list card :=
  flat_map (fun c => match c with Some c => [c] | None => [] end) l.
Definition numbers_of (l : list card) : list Z :=
  flat_map (fun c => match c with Glass v => [v] | Finish => [] end) l.
Definition holds_card (c : card) (l : list card) : bool := existsb (card_eqb c) l.
Definition hides (l : list (option card)) : bool :=
  existsb (fun c => match c with None => true | _ => false end) l.

Definition all_cards (P : position) : list (option card) :=
  map card_of (laid P) ++ hands P ++ reserve P ++ gone P ++ deck P.

(** How many cards the game has. *)
Definition game (P : position) : Z := greatest (on P) + (if variant P then 1 else 0).

(** The cards that are up and told, by cell. *)
Definition ups (P : position) : list (cell * card) :=
  flat_map (fun x => match card_of x with Some c => if lies_up x then [(cell_of x, c)]
    else [] | None => [] end) (laid P).

(** "A position with an up card that is not told is unsupported." *)
Definition told (P : position) : bool :=
  forallb (fun x => negb (lies_up x) || match card_of x with Some _ => true | None => false end) (laid P).

(** "F is gone: it stands in the line gone, or it stands nowhere, and neither the Reserve nor the deck has an
    unseen card." The deck has one where it is told with one, or where cards are left for it. *)
Definition deck_hides (P : position) : bool := hides (deck P) || (Z.of_nat (length (all_cards P)) <? game P).

Definition gone_finish (P : position) : bool :=
  variant P && (holds_card Finish (seen_cards (gone P)) ||
    negb (holds_card Finish (seen_cards (all_cards P))) && negb (hides (reserve P)) && negb (deck_hides P)).

(** The places: "those columns for which every laid card lies inside the pyramid that begins there". *)
Definition lefts (P : position) : list Z :=
  let h := rows (on P) in
  if middle P then [Z.of_nat h - 1 - Z.of_nat h / 2] else range 0 h.

Definition places (P : position) : list Z :=
  filter (fun l => forallb (fun x => insideb (rows (on P)) l (cell_of x)) (laid P)) (lefts P).

(** The cell of the set-up. *)
Definition anchor (P : position) : cell := (Z.of_nat (rows (on P)) - 1, 1).

(** "A position is refused that no rule allows", as far as cards and cells go. *)
Definition distinctb {A} (eq : A -> A -> bool) : list A -> bool :=
  fix test l := match l with [] => true | x :: l => negb (existsb (eq x) l) && test l end.

Definition card_allowed (P : position) (c : card) : bool :=
  match c with Glass v => (0 <? v) && (v <=? greatest (on P)) | Finish => variant P end.

Definition laid_allowed (P : position) (x : cell * option card * bool) : bool :=
  let p := cell_of x in
  let lies q := among q (map cell_of (laid P)) in
  let apex_row := lev p =? Z.of_nat (rows (on P)) in
  let is_finish := match card_of x with Some Finish => true | _ => false end in
  ((lev p =? 1) || lies (left_support p) && lies (right_support p)) &&   (* supports *)
  (lies_up x || negb apex_row && negb is_finish) &&                      (* never down *)
  (negb apex_row || negb (variant P) || is_finish).                      (* the apex of the variant finish *)

Definition allowed (P : position) : bool :=
  (1 <=? Z.of_nat (rows (on P))) && (0 <? first (on P)) && (first (on P) <=? greatest (on P)) &&
  distinctb eqb (map cell_of (laid P)) && distinctb card_eqb (seen_cards (all_cards P)) &&
  (Z.of_nat (length (all_cards P)) <=? game P) && forallb (card_allowed P) (seen_cards (all_cards P)) &&
  among (anchor P) (map cell_of (laid P)) && forallb (laid_allowed P) (laid P) &&
  told P && negb (match places P with [] => true | _ => false end).

(** The tower at place l after the up cards on the cells X were given up: "these cells are then free, their
    values available and located". *)
Definition kept (P : position) (X : list cell) : list (cell * card) :=
  filter (fun x => negb (among (fst x) X)) (ups P).

Definition world (P : position) (l : Z) (X : list cell) : tower :=
  let gone_numbers := numbers_of (seen_cards (gone P)) in
  let up_numbers := numbers_of (map snd (kept P X)) in
  Tower (rows (on P)) (greatest (on P) + 1) (first (on P)) l
    (variant P) (row_order P) (between P) (value_of_finish P)
    (kept P X)
    (filter (fun v => negb (memb v gone_numbers) &&
      negb (memb v up_numbers)) (range 1 (Z.to_nat (greatest (on P)))))
    (numbers_of (seen_cards (map card_of (laid P) ++ hands P ++ reserve P ++ deck P)))
    (length (filter (fun c => match c with None => true | _ => false end) (gone P)))
    (gone_finish P).

(** The position as it stands. *)
Definition standing (P : position) (l : Z) : tower := world P l [].

(** Which up cards "may be given up": not those that [replace_target] protects, nor F on its apex. *)
Definition may_go (P : position) : list cell :=
  map fst (filter (fun x =>
    negb (card_eqb (snd x) Finish && (lev (fst x) =? Z.of_nat (rows (on P)))) &&
    match target P with
    | AnyCard => true
    | NotAnchor => negb (eqb (fst x) (anchor P) && card_eqb (snd x) (Glass (first (on P))))
    | FacedownOnly => false
    end) (ups P)).

(** * Worlds are towers as they should be *)

Lemma distinctb_nodup : forall A (eq : A -> A -> bool), (forall x y, eq x y = true <-> x = y) ->
  forall l, distinctb eq l = true <-> NoDup l.
Proof.
  intros A eq E l. induction l as [| x l IH]; simpl; [split; [constructor | trivial] |].
  rewrite andb_true_iff, negb_true_iff, IH. split.
  - intros [N D]. constructor; trivial. intros I. assert (existsb (eq x) l = true); [| congruence].
    apply existsb_exists. exists x. split; [trivial | apply E; trivial].
  - intros D. inversion D as [| ? ? N D']; subst. split; trivial.
    destruct (existsb (eq x) l) eqn:X; trivial. exfalso. apply existsb_exists in X. destruct X as (y & I & X).
    apply E in X. congruence.
Qed.

Lemma in_seen : forall c l, In c (seen_cards l) <-> In (Some c) l.
Proof.
  intros c l. unfold seen_cards. rewrite in_flat_map. split.
  - intros ([d |] & I & J); [destruct J as [<- | []]; trivial | destruct J].
  - intros I. exists (Some c). simpl. auto.
Qed.

Lemma in_numbers : forall v l, In v (numbers_of l) <-> In (Glass v) l.
Proof.
  intros v l. unfold numbers_of. rewrite in_flat_map. split.
  - intros ([w |] & I & J); [destruct J as [<- | []]; trivial | destruct J].
  - intros I. exists (Glass v). simpl. auto.
Qed.

Lemma holds_card_true : forall c l, holds_card c l = true <-> In c l.
Proof.
  intros c l. unfold holds_card. rewrite existsb_exists. split.
  - intros (d & I & E). apply card_eqb_true in E. congruence.
  - intros I. exists c. split; [trivial | apply card_eqb_true; trivial].
Qed.

Lemma in_ups : forall P p c, In (p, c) (ups P) <-> In (p, Some c, true) (laid P).
Proof.
  intros P p c. unfold ups. rewrite in_flat_map. split.
  - intros ([[q [d |]] [|]] & I & J); unfold cell_of, card_of, lies_up in J; simpl in J;
      try contradiction; destruct J as [E | []]; injection E as -> ->; trivial.
  - intros I. exists (p, Some c, true). simpl. auto.
Qed.

Lemma in_kept : forall P X p c, In (p, c) (kept P X) <-> In (p, c) (ups P) /\ ~ In p X.
Proof.
  intros P X p c. unfold kept. rewrite filter_In, negb_true_iff. simpl. rewrite <- among_true.
  destruct (among p X); intuition congruence.
Qed.

Lemma nodup_app_parts : forall A (s t : list A), NoDup (s ++ t) ->
  NoDup s /\ NoDup t /\ forall x, In x s -> ~ In x t.
Proof.
  intros A s t N. induction s as [| x s IH]; simpl in *;
    [repeat split; trivial; [constructor | intros x []] |].
  inversion N as [| ? ? X N']; subst. destruct (IH N') as (A1 & A2 & A3). rewrite in_app_iff in X.
  split; [constructor; tauto |]. split; trivial. intros y [<- | I]; [tauto | auto].
Qed.

Section Allowed.
  Variable P : position.
  Hypothesis Al : allowed P = true.

  Lemma allowed_parts :
    (1 <= rows (on P))%nat /\ 0 < first (on P) <= greatest (on P) /\ NoDup (map cell_of (laid P)) /\
    NoDup (seen_cards (all_cards P)) /\ (forall c, In c (seen_cards (all_cards P)) ->
      card_allowed P c = true) /\
    (forall x, In x (laid P) -> laid_allowed P x = true).
  Proof.
    unfold allowed in Al. rewrite !andb_true_iff, !forallb_forall, !Z.leb_le, Z.ltb_lt in Al.
    destruct Al as ((((((((((A & B) & C) & D) & E) & _) & F) & _) & G) & _) & _).
    split; [lia |]. split; [lia |]. split; [apply (distinctb_nodup _ _ eqb_true), D |].
    split; [apply (distinctb_nodup _ _ card_eqb_true), E |]. auto.
  Qed.

  Lemma seen_app : forall s t, seen_cards (s ++ t) = seen_cards s ++ seen_cards t.
  Proof. intros s t. unfold seen_cards. apply flat_map_app. Qed.

  (** Cards of the tower are distinct, and none of them is gone. *)
  Lemma laid_cards : NoDup (seen_cards (map card_of (laid P))) /\
    forall c, In c (seen_cards (map card_of (laid P))) -> ~ In c (seen_cards (gone P)).
  Proof.
    destruct allowed_parts as (_ & _ & _ & N & _). unfold all_cards in N. rewrite !seen_app in N.
    apply nodup_app_parts in N. destruct N as (A & _ & B). split; trivial.
    intros c I J. apply (B c I). rewrite !in_app_iff. auto.
  Qed.

  Lemma ups_cells : NoDup (map fst (ups P)).
  Proof.
    destruct allowed_parts as (_ & _ & N & _). unfold ups.
    induction (laid P) as [| [[p [c |]] [|]] l IH]; simpl in *;
      [constructor | ..]; inversion N as [| ? ? X N']; subst; auto.
    constructor; auto. intros I. apply X. apply in_map_iff in I. destruct I as ([q d] & E & I). simpl in E.
    subst q.
    apply in_flat_map in I. destruct I as ([[r [e |]] [|]] & I & J); unfold cell_of, card_of, lies_up in J;
      simpl in J;
      try contradiction;
      destruct J as [E | []].
    injection E as <- <-. apply in_map_iff. exists (r, Some e, true). auto.
  Qed.

  Lemma ups_cards : NoDup (map snd (ups P)).
  Proof.
    destruct laid_cards as [N _]. unfold ups. induction (laid P) as [| [[p [c |]] [|]] l IH]; simpl in *;
      [constructor | ..]; try (inversion N as [| ? ? X N']; subst); auto.
    constructor; auto. intros I. apply X. apply in_map_iff in I. destruct I as ([q d] & E & I). simpl in E.
    subst d.
    apply in_flat_map in I. destruct I as ([[r [e |]] [|]] & I & J); unfold cell_of, card_of, lies_up in J;
      simpl in J;
      try contradiction;
      destruct J as [E | []].
    injection E as <- <-. apply in_seen, in_map_iff. exists (r, Some e, true). auto.
  Qed.

  Lemma up_card_seen : forall p c, In (p, c) (ups P) ->
    In c (seen_cards (map card_of (laid P))) /\ In c (seen_cards (all_cards P)).
  Proof.
    intros p c I. apply in_ups in I. assert (J : In (Some c) (map card_of (laid P)))
      by (apply in_map_iff; exists (p, Some c, true); auto).
    split; apply in_seen; trivial. unfold all_cards. apply in_or_app. auto.
  Qed.

  Lemma nodup_map_filter : forall A B (f : A -> B) g l, NoDup (map f l) -> NoDup (map f (filter g l)).
  Proof.
    intros A B f g l N. induction l as [| x l IH]; simpl in *; [constructor |].
    inversion N as [| ? ? X N']; subst. destruct (g x); simpl; auto. constructor; auto.
    intros I. apply X. apply in_map_iff in I. destruct I as (y & <- & I). apply filter_In in I.
    apply in_map. apply I.
  Qed.

  (** Every world of an allowed position at one of its places is a tower as [valid] asks. *)
  Theorem world_valid : forall l X, In l (places P) -> valid (world P l X).
  Proof.
    intros l X L. destruct allowed_parts as (H & S & _ & N & Ca & La). destruct laid_cards as [_ NG].
    unfold places in L. rewrite filter_In, forallb_forall in L. destruct L as [_ L].
    assert (K : forall p c, In (p, c) (kept P X) -> In (p, c) (ups P))
      by (intros p c I; apply in_kept in I; apply I).
    split; unfold world; cbn [height top start place finish up available located unseen finish_gone].
    - exact H.
    - apply nodup_map_filter, ups_cells.
    - intros p I. apply in_map_iff in I. destruct I as ([q c] & <- & I). apply K, in_ups in I.
      apply insideb_true. exact (L _ I).
    - intros p v I. apply K, up_card_seen in I. destruct I as [_ I]. apply Ca in I.
      unfold card_allowed in I. rewrite andb_true_iff, Z.ltb_lt, Z.leb_le in I. lia.
    - intros p v I J. rewrite filter_In, andb_true_iff, !negb_true_iff in J. destruct J as (_ & _ & J).
      assert (memb v (numbers_of (map snd (kept P X))) = true); [| congruence].
      apply memb_true, in_numbers, in_map_iff. exists (p, Glass v). auto.
    - apply nodup_map_filter, ups_cards.
    - intros c F I. apply K, in_ups, La in I. unfold laid_allowed, apex_of in I. cbn [height place] in I.
      unfold cell_of, card_of, lies_up in I; simpl in I.
      rewrite Z.eqb_refl, F in I. rewrite !andb_true_iff in I. destruct I as [_ I].
      destruct c; [discriminate | trivial].
    - intros p I. apply K, up_card_seen in I. destruct I as [I1 I2]. split; [exact (Ca _ I2) |].
      unfold gone_finish. apply andb_false_iff. right. apply orb_false_iff. split.
      + destruct (holds_card Finish (seen_cards (gone P))) eqn:E; trivial. apply holds_card_true in E.
        destruct (NG _ I1 E).
      + apply holds_card_true in I2. rewrite I2. reflexivity.
    - apply sorted_filter, range_rises.
    - intros v I. apply filter_In in I. destruct I as [I _]. apply in_range in I. lia.
    - lia.
  Qed.
End Allowed.

(** 25 up on g1 alone: all seven places, and the printed tower at d has 27 free cells. *)
Definition set_up : position :=
  Position printed false false Strict Strict Numbered AnyCard [((6, 1), Some (Glass 25), true)] [] [] [] [].

Example set_up_allowed : allowed set_up = true /\ told set_up = true /\
  places set_up = [0; 1; 2; 3; 4; 5; 6] /\
  length (free (standing set_up 3)) = 27%nat /\ length (available (standing set_up 3)) = 49%nat /\
  may_go set_up = [(6, 1)].
Proof. vm_compute. repeat split; reflexivity. Qed.

(** So a tower as [valid] asks exists. *)
Example set_up_valid : valid (standing set_up 3).
Proof. apply world_valid; [vm_compute; reflexivity | vm_compute; auto]. Qed.
