(** A check that the counting game is lost: all positions that can be reached are looked at, and none of
    them wins. *)

From Coq Require Import List ZArith Lia Bool Arith PArith FMapPositive.
From Couperation Require Import Cells Table Account Game.
Import ListNotations.
Open Scope nat_scope.

(** * All turns *)

(** What an action leaves: own cards, empty cells, down cards, what is paid, whether it is C, whether it
    lays down. *)
Record outcome : Type := Outcome {
  o_own : nat; o_empty : nat; o_down : nat; o_paid : nat; o_opened : bool; o_laid_down : bool
}.

Definition when {X : Type} (b : bool) (x : X) : list X := if b then [x] else [].

Definition paying (r : rulings) (n e dn j : nat) : list outcome :=
  let m := n - S j in
  let ei := reserve_either r in
  when (1 <=? e) (Outcome m (e - 1) dn j false false) ++
  when ((2 <=? e) && ei) (Outcome m (e - 1) (S dn) j false true) ++
  [Outcome (m + 1) e dn j false false] ++
  when (1 <=? dn) (Outcome (m + 1) e (dn - 1) j false false) ++
  when ei (Outcome (m + 1) e (S dn) j false true) ++
  when ((1 <=? dn) && ei) (Outcome (m + 1) e dn j false true).

Definition actions (r : rulings) (n e dn : nat) : list outcome :=
  when ((1 <=? n) && (1 <=? e)) (Outcome (n - 1) (e - 1) dn 0 false false) ++
  when ((1 <=? n) && (2 <=? e)) (Outcome (n - 1) (e - 1) (S dn) 0 false true) ++
  when (1 <=? dn) (Outcome n e (dn - 1) 0 true false) ++
  flat_map (paying r n e dn) (seq 1 (n - 1)).

Lemma in_when : forall X (b : bool) (x : X), b = true -> In x (when b x).
Proof. intros X b x ->. simpl. auto. Qed.

Lemma actions_all : forall r n e dn n' e' dn' j o w, acts r n e dn n' e' dn' j o w ->
  In (Outcome n' e' dn' j o w) (actions r n e dn).
Proof.
  intros r n e dn n' e' dn' j o w A. unfold actions. rewrite !in_app_iff.
  assert (P : forall j m, 1 <= j -> n = m + S j -> In (Outcome n' e' dn' j o w) (paying r n e dn j) ->
    In (Outcome n' e' dn' j o w) (flat_map (paying r n e dn) (seq 1 (n - 1)))).
  { intros k m L E I. apply in_flat_map. exists k. split; trivial. apply in_seq. lia. }
  destruct A; simpl; rewrite ?Nat.sub_0_r; auto;
    try (right; right; right; eapply P; [lia | reflexivity |]; unfold paying;
      replace (n + S j - S j) with n by lia; rewrite !in_app_iff; simpl; rewrite ?Nat.sub_0_r;
      repeat match goal with E : reserve_either r = true |- _ => rewrite E; clear E end; simpl; auto 10).
Qed.

(** The positions after a turn, and whether it opens a card. *)
Definition turns_of (r : rulings) (g : counts) : list (counts * bool) :=
  flat_map (fun d => map (fun a => (after r g d (o_own a) (o_empty a) (o_down a) (o_paid a) (o_laid_down a),
      o_opened a)) (actions r (nth (mover g) (owns g) 0 + d) (empties g) (downs g)))
    (seq 0 (S (Nat.min (draws_most r g) (stack g)))).

Lemma turns_all : forall r g d n e dn j o w, d <= draws_most r g -> d <= stack g ->
  acts r (nth (mover g) (owns g) 0 + d) (empties g) (downs g) n e dn j o w ->
  In (after r g d n e dn j w, o) (turns_of r g).
Proof.
  intros r g d n e dn j o w D1 D2 A. unfold turns_of. apply in_flat_map. exists d.
  split; [apply in_seq; lia |]. apply in_map_iff. exists (Outcome n e dn j o w).
  split; trivial. apply actions_all. trivial.
Qed.

Definition on_completion (r : rulings) : bool :=
  match early_apex r with win_on_completion => true | _ => false end.

Definition wins_nowb (r : rulings) (t : counts * bool) : bool :=
  (empties (fst t) =? 0) && (downs (fst t) =? 0) && (owe (fst t) =? 0) && (negb (snd t) || on_completion r).

Definition continuing (r : rulings) (anew : bool) (h : counts) : list counts :=
  if negb (empties h =? 0) || on_completion r then [h]
  else when (anew && negb (finish r)) (owed_anew h).

Lemma continuing_all : forall r anew h k, continues r anew h k -> In k (continuing r anew h).
Proof.
  intros r anew h k C. unfold continuing, on_completion. destruct C as [N | Z E | Z N A Fv].
  - rewrite (proj2 (Nat.eqb_neq _ _) N). simpl. auto.
  - rewrite E, orb_true_r. simpl. auto.
  - rewrite A, Fv, Z. destruct (early_apex r); simpl; auto; congruence.
Qed.

(** * Closed sets of positions *)

(** "Positions with empty cells and owed together above S are lost." *)
Definition short (g : counts) : bool := all_owned g <? empties g + owe g.

(** No turn from g wins, and each leads to a position of the set or to one that is short of cards. *)
Definition closed (r : rulings) (anew : bool) (mem : counts -> bool) (g : counts) : bool :=
  forallb (fun t => negb (wins_nowb r t) && forallb (fun h => short h || mem h) (continuing r anew (fst t)))
    (turns_of r g).

Theorem closed_lost : forall r anew mem L, (forall h, mem h = true -> In h L) ->
  (forall h, In h L -> closed r anew mem h = true) -> forall g, In g L -> ~ game_won r anew g.
Proof.
  intros r anew mem L M C g I W. revert I.
  induction W as [g d n e dn j o w D1 D2 A _ (E1 & E2 & E3 & E4)
    | g d n e dn j o w h D1 D2 A _ Cn W IH]; intros I;
    pose proof (C g I) as Cg; unfold closed in Cg; rewrite forallb_forall in Cg;
    specialize (Cg _ (turns_all r g d n e dn j o w D1 D2 A)); apply andb_true_iff in Cg;
    destruct Cg as [C1 C2].
  - apply negb_true_iff in C1. unfold wins_nowb in C1. cbn [fst snd] in C1. rewrite E1, E2, E3 in C1.
    unfold on_completion in C1. destruct E4 as [-> | E4]; [discriminate |]. rewrite E4, orb_true_r in C1.
    discriminate.
  - rewrite forallb_forall in C2. specialize (C2 h (continuing_all _ _ _ _ Cn)).
    apply orb_true_iff in C2. destruct C2 as [C2 | C2]; [| exact (IH (M h C2))].
    apply too_few_lost in W. unfold short in C2. apply Nat.ltb_lt in C2. lia.
Qed.

(** * Looking at all positions *)

(** Positions by a key; those with the same key lie together. *)
Definition key_of (g : counts) : positive :=
  let add a x := (a * 64 + N.of_nat x)%N in
  let draw := match allowance g with Some k => S k | None => 0 end in
  let l := [mover g; stack g; empties g; downs g; owe g; draw] in
  N.succ_pos (fold_left add (owns g) (fold_left add l 1%N)).

Definition counts_dec : forall g h : counts, {g = h} + {g <> h}.
Proof. repeat decide equality. Defined.

Definition bag : Type := PositiveMap.t (list counts).

Definition at_key (m : bag) (k : positive) : list counts :=
  match PositiveMap.find k m with Some l => l | None => [] end.

Definition member (m : bag) (g : counts) : bool :=
  if in_dec counts_dec g (at_key m (key_of g)) then true else false.

Definition insert (m : bag) (g : counts) : bag := PositiveMap.add (key_of g) (g :: at_key m (key_of g)) m.

Definition everything (m : bag) : list counts := flat_map snd (PositiveMap.elements m).

Lemma member_in : forall m g, member m g = true -> In g (everything m).
Proof.
  intros m g E. unfold member in E.
  destruct (in_dec counts_dec g (at_key m (key_of g))) as [I |]; [| discriminate].
  unfold at_key in I. destruct (PositiveMap.find (key_of g) m) as [l |] eqn:Fd; [| destruct I].
  unfold everything. apply in_flat_map. exists (key_of g, l). split; trivial.
  apply PositiveMap.elements_correct. trivial.
Qed.

(** Positions that are still to be looked at, from the first that was not. *)
Fixpoint still_new (m : bag) (todo : list counts) : list counts :=
  match todo with
  | [] => []
  | g :: rest => if member m g then still_new m rest else todo
  end.

(** The positions that were looked at, when there are no more that are not short; [None] when a turn wins, or
    when there are more than [fuel]. *)
Fixpoint explore (r : rulings) (anew : bool) (fuel : nat) (todo : list counts) (m : bag) : option bag :=
  match still_new m todo, fuel with
  | [], _ => Some m
  | _, 0 => None
  | g :: todo, S fuel =>
      let ts := turns_of r g in
      if existsb (wins_nowb r) ts then None
      else
        let new := filter (fun h => negb (short h)) (flat_map (fun t => continuing r anew (fst t)) ts) in
        explore r anew fuel (new ++ todo) (insert m g)
  end.

Definition game_lost (r : rulings) (anew : bool) (fuel : nat) (g : counts) : bool :=
  short g ||
  match explore r anew fuel [g] (PositiveMap.empty _) with
  | Some m => member m g && forallb (closed r anew (member m)) (everything m)
  | None => false
  end.

Theorem game_lost_right : forall r anew fuel g, game_lost r anew fuel g = true -> ~ game_won r anew g.
Proof.
  intros r anew fuel g E. unfold game_lost in E. apply orb_true_iff in E. destruct E as [E | E].
  - intros W. apply too_few_lost in W. unfold short in E. apply Nat.ltb_lt in E. lia.
  - destruct (explore r anew fuel [g] (PositiveMap.empty _)) as [m |]; [| discriminate].
    apply andb_true_iff in E. destruct E as [E1 E2]. rewrite forallb_forall in E2.
    apply (closed_lost r anew (member m) (everything m)); [apply member_in | exact E2 |].
    apply member_in. trivial.
Qed.

(** ** Examples *)

Definition two_players (first second deck_size empty down : nat) : counts :=
  Counts 0 [first; second] deck_size empty down 0 (Some 2).

(** The last card goes to the apex. *)
Example one_card_wins : game_lost (plain by_integers) true 100 (two_players 1 0 0 1 0) = false.
Proof. vm_compute. reflexivity. Qed.

(** Ada is to move and has no card; the last one is Bo's. *)
Example nobody_lays : game_lost (plain by_integers) true 100
  (Counts 0 [0; 1] 0 1 0 0 (Some 0)) = true.
Proof. vm_compute. reflexivity. Qed.
