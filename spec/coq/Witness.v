(** The notions of these files can be met: a table that can come about, a position that it fits, and a
    continuation that wins. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach OutOfOrder Counting Turns Draws.
Import ListNotations.
Open Scope nat_scope.

(** The numbers 1 to 28 along the order, in the pyramid at d. *)
Definition full_tower : tower :=
  combine (cells levels 3) (map (fun v => Up (Glass v)) (range 1 28)).

(** The apex is d7; its number. *)
Definition the_apex : cell := (3, 7)%Z.
Definition the_card : card :=
  match at_cell full_tower the_apex with Some k => face k | None => F end.

(** All is laid but the apex; Ada has the card, Bo has none, and the deck is empty. *)
Definition last_turn : table :=
  Table [[the_card]; []] [] (filter (fun e => negb (eqb (fst e) the_apex)) full_tower)
    (map Glass (range 45 6)) (map Glass (range 29 16)) 0 true false.

Definition lays_apex : turn := Turn [] (A the_card the_apex) [] [] [].

Definition won_table : table :=
  Table [[]; []] [] ((the_apex, Up the_card) :: laid_cards last_turn) (reserve last_turn) (gone last_turn)
    1 true false.

(** Lists without a card, or a cell, twice. *)
Fixpoint once_cells (l : list cell) : bool :=
  match l with [] => true | x :: l => negb (existsb (eqb x) l) && once_cells l end.

Lemma once_cells_true : forall l, once_cells l = true -> NoDup l.
Proof.
  induction l as [| x l IH]; simpl; intros E; constructor;
    apply andb_true_iff in E; destruct E as [N E]; auto.
  intros I. apply negb_true_iff in N. assert (existsb (eqb x) l = true); [| congruence].
  apply existsb_exists. exists x. split; trivial. apply eqb_true. trivial.
Qed.

Fixpoint once_cards (l : list card) : bool :=
  match l with [] => true | c :: l => negb (holds l c) && once_cards l end.

Lemma once_cards_true : forall l, once_cards l = true -> NoDup l.
Proof.
  induction l as [| c l IH]; simpl; intros E; constructor;
    apply andb_true_iff in E; destruct E as [N E]; auto.
  intros I. apply holds_true in I. rewrite I in N. discriminate.
Qed.

(** [sound], by computing. *)
Definition glass_right (c : card) : bool :=
  match c with Glass v => ((1 <=? v) && (v <=? 50))%Z | F => false end.

Lemma sound_plain : forall s, once_cards (all_cards s) = true -> once_cells (map fst (laid_cards s)) = true ->
  forallb (fun e => insideb levels 3 (fst e) && is_up (snd e)) (laid_cards s) = true ->
  forallb glass_right (all_cards s) = true -> sound base s.
Proof.
  intros s N1 N2 P G. rewrite forallb_forall in P, G.
  assert (Nf : ~ In F (all_cards s)) by (intros I; specialize (G F I); discriminate).
  split.
  - apply once_cards_true. trivial.
  - apply once_cells_true. trivial.
  - exists 3%Z. split; [simpl; auto |]. intros x k I. specialize (P _ I). apply andb_true_iff in P.
    apply insideb_true. apply P.
  - intros x k I _. specialize (P _ I). apply andb_true_iff in P. split; [apply P | discriminate].
  - intros x I. specialize (P _ I). apply andb_true_iff in P. destruct P. discriminate.
  - intros v I. specialize (G _ I). unfold glass_right in G. lia.
  - trivial.
Qed.

Example last_turn_sound : sound base last_turn.
Proof. apply sound_plain; vm_compute; reflexivity. Qed.

Lemma lays_apex_played : played base last_turn lays_apex won_table.
Proof.
  apply (plays base last_turn lays_apex won_table [] [[]] [the_card] [] (reserve last_turn)
    (Desk [] (laid_cards won_table) (reserve last_turn) (gone last_turn) true)); try reflexivity.
  - apply does_A; [apply Permutation_refl |]. apply at_cell_none. vm_compute. reflexivity.
  - split; [apply ordersb_correct; [apply once_cells_true |]; vm_compute; reflexivity |]. split.
    + exists 3%Z. split; [simpl; auto |].
      assert (P : forallb (fun e => insideb levels 3 (fst e)) (laid_cards won_table) = true)
        by (vm_compute; reflexivity).
      rewrite forallb_forall in P. intros x k I. apply insideb_true. exact (P _ I).
    + intros _. split; [reflexivity | discriminate].
Qed.

Lemma lays_apex_won : won base lays_apex won_table.
Proof.
  assert (U : forallb (fun e => is_up (snd e)) (laid_cards won_table) = true) by (vm_compute; reflexivity).
  rewrite forallb_forall in U. repeat split; [intros x k I; exact (U _ I) |]. exists the_apex. auto.
Qed.

(** The continuation wins, so the theorems on dead tables are not about nothing; *)
Example last_turn_wins : wins base last_turn [lays_apex] won_table.
Proof.
  destruct lays_apex_won as (Fu & Up & Wn). exists [], lays_apex, last_turn.
  repeat split; trivial; [constructor | apply lays_apex_played].
Qed.

(** and it keeps the clauses of Turns.v, with the limit of the first turn (DRW01). *)
Example last_turn_wins_fairly : wins_fairly base 1 last_turn [lays_apex] won_table.
Proof.
  apply fairly_last; [apply lays_apex_played | exact I | | apply lays_apex_won].
  repeat split; simpl; auto; try discriminate; vm_compute; auto 40.
Qed.

Corollary last_turn_lives : ~ dead base last_turn.
Proof. intros D. exact (D _ _ last_turn_wins). Qed.

(** A position that shows all of it. *)
Definition last_position : position :=
  Position (map (map Some) (own last_turn)) []
    (map (fun e => (fst e, (is_up (snd e), Some (face (snd e))))) (laid_cards last_turn))
    (map Some (reserve last_turn)) (map Some (gone last_turn)) 0 1.

Lemma seen_itself : forall cs, seen_as (map Some cs) cs.
Proof. intros cs. exists cs. split; trivial. induction cs; simpl; constructor; simpl; auto. Qed.

Lemma lies_itself : forall W : tower,
  Forall2 lies_as (map (fun e => (fst e, (is_up (snd e), Some (face (snd e))))) W) W.
Proof. induction W as [| e W IH]; simpl; constructor; trivial. repeat split. Qed.

Example last_position_fits : fits last_position last_turn.
Proof.
  split; try reflexivity; try (intros; discriminate).
  - assert (O : forall os, ~ In F os -> owned_as (map Some os) os).
    { intros os N. split; [apply seen_itself | tauto]. }
    constructor; [apply (O [the_card]) | constructor; [apply (O []) | constructor]];
      vm_compute; intuition discriminate.
  - apply (seen_itself []).
  - apply lies_itself.
  - apply seen_itself.
  - apply seen_itself.
Qed.

(** So no check may say that it is dead. *)
Example last_position_open : cards_check last_position || stuck_check base last_position ||
  finish_check base last_position || apex_check base last_position = false.
Proof. vm_compute. reflexivity. Qed.

Corollary last_position_lives : ~ never_won_fairly base usual_draws [] No_source last_position.
Proof.
  intros N.
  apply (N last_turn (fun _ => Heart) last_turn_sound last_position_fits) with [lays_apex] won_table.
  - intros v k E. discriminate.
  - reflexivity.
  - exact last_turn_wins_fairly.
Qed.
