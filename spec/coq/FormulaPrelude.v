(** What the formula language has built in (language.md, "Types" to "Integers that make differences true"),
    for Formulas.v, which is printed from the pages. What is undefined is [None]; a set is a list in which
    nothing stands twice, a map a list of keys with their values, no key twice. *)

From Coq Require Import String List ZArith Bool.
Import ListNotations.
Open Scope Z_scope.

(** As && and || of Coq's library, but the rest is asked only where it has to be. *)
Notation "a &&& b" := (if a then b else false) (at level 40, left associativity).
Notation "a ||| b" := (if a then true else b) (at level 50, left associativity).

(** * Equality *)

Class Eq (A : Type) := { same : A -> A -> bool; same_true : forall x y, same x y = true <-> x = y }.

Lemma both_true : forall a b : bool, a &&& b = true <-> a = true /\ b = true.
Proof. intros [] b; intuition congruence. Qed.

(** Things of one shape are equal where their parts are. *)
Ltac shapes f :=
  exists f; intros x y; destruct x, y; unfold f; rewrite ?both_true, ?same_true;
  (split; [intros E; decompose [and] E; subst | intros E; inversion E; subst]; auto 10; congruence).

#[global] Instance Z_eq : Eq Z := {| same_true := Z.eqb_eq |}.
#[global] Instance string_eq : Eq string := {| same_true := String.eqb_eq |}.
#[global] Instance bool_eq : Eq bool := {| same_true := Bool.eqb_true_iff |}.

Definition option_same {A} `{Eq A} (a b : option A) : bool :=
  match a, b with Some x, Some y => same x y | None, None => true | _, _ => false end.
#[global] Instance option_eq {A} `{Eq A} : Eq (option A).
Proof. exists option_same. intros [x |] [y |]; unfold option_same; rewrite ?same_true;
  intuition congruence. Defined.

Fixpoint list_same {A} `{Eq A} (l m : list A) : bool :=
  match l, m with x :: l, y :: m => same x y &&& list_same l m | [], [] => true | _, _ => false end.
#[global] Instance list_eq {A} `{Eq A} : Eq (list A).
Proof.
  exists list_same. induction x as [| x l IH]; destruct y as [| y m]; simpl; try (split; congruence).
  rewrite both_true, same_true, IH. split; [intros [-> ->]; trivial | intros E; inversion E; auto].
Defined.

(** * Truth, and what is not defined *)

Definition bind {A B} (a : option A) (f : A -> option B) : option B :=
  match a with Some x => f x | None => None end.
Notation "'let?' x := a 'in' b" := (bind a (fun x => b))
  (at level 200, x name, a at level 100, b at level 200).

(** "A comparison, membership or match with an undefined part is false." *)
Definition holds (a : option bool) : bool := match a with Some b => b | None => false end.
Definition defined {A} (a : option A) : bool := match a with Some _ => true | None => false end.

(** What is made of members that may be undefined leaves these out; an undefined domain has none. *)
Definition kept {A} (a : option A) : list A := match a with Some x => [x] | None => [] end.
Definition domain {A} (a : option (list A)) : list A := match a with Some l => l | None => [] end.

Fixpoint for_all {A} (l : list A) (f : A -> bool) : bool :=
  match l with [] => true | x :: l => if f x then for_all l f else false end.
Fixpoint there_is {A} (l : list A) (f : A -> bool) : bool :=
  match l with [] => false | x :: l => if f x then true else there_is l f end.
Definition each {A B} (l : list A) (f : A -> list B) : list B := flat_map f l.

(** * Numbers *)

Definition divided (a b : Z) : option Z := if b =? 0 then None else Some (a / b).
Definition range (a b : Z) : list Z := map (fun i => a + Z.of_nat i) (seq 0 (Z.to_nat (b - a + 1))).
Definition max_of (l : list Z) : option Z :=
  match l with [] => None | x :: l => Some (fold_left Z.max l x) end.
Definition min_of (l : list Z) : option Z :=
  match l with [] => None | x :: l => Some (fold_left Z.min l x) end.
Definition sum (l : list Z) : Z := fold_right Z.add 0 l.

(** Numbers in increasing order. *)
Fixpoint insert (x : Z) (l : list Z) : list Z :=
  match l with [] => [x] | y :: m => if x <=? y then x :: l else y :: insert x m end.
Definition increasing (l : list Z) : list Z := fold_right insert [] l.

(** * Sets, sequences and maps *)

Definition length_of {A} (l : list A) : Z := Z.of_nat (length l).
Definition is_empty {A} (l : list A) : bool := match l with [] => true | _ => false end.

Section Members.
  Context {A : Type} `{Eq A}.

  Fixpoint mem (x : A) (l : list A) : bool :=
    match l with [] => false | y :: l => if same x y then true else mem x l end.
  Fixpoint members (l : list A) : list A :=
    match l with [] => [] | x :: l => if mem x l then members l else x :: members l end.
  Definition without (l m : list A) : list A := filter (fun x => negb (mem x m)) l.
  Definition union (l m : list A) : list A := l ++ without m l.
  Definition subset (l m : list A) : bool := for_all l (fun x => mem x m).
  Definition same_set (l m : list A) : bool := if subset l m then subset m l else false.
End Members.

Fixpoint subsets {A} (l : list A) : list (list A) :=
  match l with [] => [[]] | x :: l => let s := subsets l in s ++ map (cons x) s end.

Definition item {A} (l : list A) (i : Z) : option A :=
  if i <? 1 then None else nth_error l (Z.to_nat (i - 1)).
Definition places {A} (l : list A) : list Z := range 1 (length_of l).

Section Maps.
  Context {K V : Type} `{Eq K}.

  Fixpoint look (m : list (K * V)) (k : K) : option V :=
    match m with [] => None | (l, v) :: m => if same k l then Some v else look m k end.
  Definition dom (m : list (K * V)) : list K := map fst m.
  Definition map_without (m : list (K * V)) (s : list K) : list (K * V) :=
    filter (fun e => negb (mem (fst e) s)) m.
  Definition over (m n : list (K * V)) : list (K * V) := map_without m (dom n) ++ n.
  (** Of several values at one key the last one is the map's. *)
  Definition mapping (l : list (K * V)) : list (K * V) :=
    fold_right (fun e m => if mem (fst e) (dom m) then m else e :: m) [] l.
  Definition same_map `{Eq V} (m n : list (K * V)) : bool :=
    if same_set (dom m) (dom n) then for_all m (fun e => same (look n (fst e)) (Some (snd e))) else false.
End Maps.

(** * Integers that make differences true *)

(** An unknown number or 0, and what is added to it; (u, k, v) stands for u + k <= v. *)
Definition offset (K : Type) : Type := option K * Z.
Definition difference (K : Type) : Type := option K * Z * option K.

Section Differences.
  Context {K : Type} `{Eq K}.

  Definition plain (n : Z) : offset K := (None, n).
  Definition more (a : offset K) (n : Z) : offset K := (fst a, snd a + n).
  Definition plain_map {A} (m : list (A * Z)) : list (A * offset K) :=
    map (fun e => (fst e, plain (snd e))) m.
  Definition gap (n : Z) (a b : offset K) : list (difference K) := [(fst a, n + snd a - snd b, fst b)].
  Definition less (a b : offset K) : list (difference K) := gap 1 a b.
  Definition at_most (a b : offset K) : list (difference K) := gap 0 a b.
  Definition equal (a b : offset K) : list (difference K) := at_most a b ++ at_most b a.

  (** What is known is no difference where it holds, and one that nothing keeps where it does not. *)
  Definition truth (b : bool) : list (difference K) := if b then [] else [(None, 1, None)].
  Definition or_never (a : option (list (difference K))) : list (difference K) :=
    match a with Some l => l | None => truth false end.

  (** Of the differences of the same two numbers the greatest counts. *)
  Fixpoint note (u : option K) (k : Z) (v : option K) (l : list (difference K)) : list (difference K) :=
    match l with
    | [] => [(u, k, v)]
    | (x, n, y) :: l =>
      if same u x then if same v y then (u, Z.max k n, v) :: l else (x, n, y) :: note u k v l
      else (x, n, y) :: note u k v l
    end.
  Definition strongest (l : list (difference K)) : list (difference K) :=
    fold_right (fun d m => let '(u, k, v) := d in note u k v m) [] l.

  (** "Each edge from u to x with weight a is joined with each edge from x to v with b to one from u to v with
      a + b." An edge from x to x is one from 0 to 0. *)
  Definition into (x : K) (l : list (difference K)) : list (option K * Z) :=
    each l (fun d => let '(u, k, v) := d in
      if same v (Some x) then if same u (Some x) then [] else [(u, k)] else []).
  Definition out_of (x : K) (l : list (difference K)) : list (Z * option K) :=
    each l (fun d => let '(u, k, v) := d in
      if same u (Some x) then if same v (Some x) then [] else [(k, v)] else []).
  Definition others (x : K) (l : list (difference K)) : list (difference K) :=
    each l (fun d => let '(u, k, v) := d in
      if same u (Some x) then if same v (Some x) then [(None, k, None)] else []
      else if same v (Some x) then [] else [d]).
  Definition eliminate (l : list (difference K)) (x : K) : list (difference K) :=
    strongest (others x l ++
      each (into x l) (fun i => map (fun o => (fst i, snd i + fst o, snd o)) (out_of x l))).

  Definition solvable (s : list K) (l : list (difference K)) : bool :=
    for_all (fold_left eliminate s l) (fun d => let '(u, k, v) := d in k <=? 0).

  (** There are integers h on s, between the bounds if any, that keep the differences which the body asks. *)
  Definition there_are (s : list K) (bounds : option (Z * Z))
      (body : list (K * offset K) -> list (difference K)) : bool :=
    let unknown := map (fun x => (x, (Some x, 0))) s in
    let between := match bounds with
      | Some (a, b) => each unknown (fun h => at_most (plain a) (snd h) ++ at_most (snd h) (plain b))
      | None => [] end in
    solvable s (between ++ body unknown).
End Differences.

(** * Examples: sentences of language.md *)

(** "The quotient is rounded down"; a division by 0 is not defined. *)
Example quotients : (divided (-7) 2, divided 7 0) = (Some (-4), None).
Proof. vm_compute. reflexivity. Qed.

(** Places are counted from 1, and a sequence is not defined at one that it lacks. *)
Example at_places : 
  (item [5; 6] 1, item [5; 6] 3, item [5; 6] 0, places [5; 6]) = (Some 5, None, None, [1; 2]).
Proof. vm_compute. reflexivity. Qed.

(** "M + N: N where both are defined." *)
Example joined_maps :
  look (over [(1, 5); (2, 6)] [(2, 7)]) 2 = Some 7 /\ map_without [(1, 5); (2, 6)] [1] = [(2, 6)].
Proof. vm_compute. auto. Qed.

(** Sets are equal where each holds the members of the other, and hold nothing twice. *)
Example equal_sets :
  same_set (union [1; 2] [2; 3]) (members [3; 2; 1; 2]) = true /\ length_of (members [2; 2]) = 1.
Proof. vm_compute. auto. Qed.

Example equal_maps : same_map (mapping [(1, 5); (2, 6); (1, 7)]) [(2, 6); (1, 7)] = true.
Proof. vm_compute. reflexivity. Qed.

Example some_subsets : subsets [1; 2] = [[]; [2]; [1]; [1; 2]] /\ increasing [3; 1; 2] = [1; 2; 3].
Proof. vm_compute. auto. Qed.

(** The greatest member of an empty set is not defined. *)
Example extremes : (max_of [2; 5; 3], min_of [2; 5; 3], max_of [], sum [2; 5]) = (Some 5, Some 2, None, 7).
Proof. vm_compute. reflexivity. Qed.

(** Between 3 and 5 there is an integer, between 3 and 4 none; nor are there two in a row between 3 and 5. *)
Definition between_in_a_row (a b : Z) (h : list (Z * offset Z)) : list (difference Z) :=
  each h (fun x => less (plain a) (snd x) ++ less (snd x) (plain b)) ++
  or_never (let? x := look h 1 in let? y := look h 2 in Some (less x y)).

Example integers_between :
  (there_are [1; 2] None (between_in_a_row 3 6), there_are [1; 2] None (between_in_a_row 3 5)) =
  (true, false).
Proof. vm_compute. reflexivity. Qed.

(** Numbers from 1 to 2 are a row, those from 1 to 1 are not. *)
Example integers_bounded :
  (there_are [1; 2] (Some (1, 2)) (between_in_a_row 0 9),
   there_are [1; 2] (Some (1, 1)) (between_in_a_row 0 9)) =
  (true, false).
Proof. vm_compute. reflexivity. Qed.
