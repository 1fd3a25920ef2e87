(** What the operations of FormulaPrelude.v do, in the words of sets: language.md, "Terms". *)

From Coq Require Import String List ZArith Lia Bool Permutation.
From Couperation Require Import FormulaPrelude.
Import ListNotations.
Open Scope Z_scope.

(** * The operations of sets and maps *)

Section Sets.
  Context {X : Type} `{Eq X}.

  Lemma same_spec : forall x y : X, reflect (x = y) (same x y).
  Proof. intros x y. apply iff_reflect. symmetry. apply same_true. Qed.

  Lemma same_refl : forall x : X, same x x = true.
  Proof. intros x. apply same_true. reflexivity. Qed.

  Lemma mem_in : forall (l : list X) x, mem x l = true <-> In x l.
  Proof.
    induction l as [| y l IH]; simpl; intros x; [intuition congruence |].
    destruct (same_spec x y); [subst; tauto |]. rewrite IH. intuition congruence.
  Qed.

  Lemma mem_out : forall (l : list X) x, mem x l = false <-> ~ In x l.
  Proof. intros l x. rewrite <- mem_in. destruct (mem x l); intuition congruence. Qed.

  Lemma members_in : forall (l : list X) x, In x (members l) <-> In x l.
  Proof.
    induction l as [| y l IH]; simpl; intros x; [tauto |].
    destruct (mem y l) eqn:M; simpl; rewrite IH; [| tauto].
    apply mem_in in M. intuition congruence.
  Qed.

  Lemma members_once : forall l : list X, NoDup l -> members l = l.
  Proof.
    induction l as [| y l IH]; simpl; intros N; trivial. inversion N; subst.
    rewrite (proj2 (mem_out l y)), IH; trivial.
  Qed.

  Lemma members_nodup : forall l : list X, NoDup (members l).
  Proof.
    induction l as [| y l IH]; simpl; [constructor |]. destruct (mem y l) eqn:M; trivial.
    constructor; trivial. rewrite members_in. apply mem_out. trivial.
  Qed.

  (** "|{c for c in l}| = |l|": nothing stands twice. *)
  Lemma members_length : forall l : list X, length_of (members l) = length_of l -> NoDup l.
  Proof.
    intros l E. apply NoDup_incl_NoDup with (members l); [apply members_nodup | unfold length_of in E; lia |].
    intros x. apply members_in.
  Qed.

  Lemma without_in : forall (l m : list X) x, In x (without l m) <-> In x l /\ ~ In x m.
  Proof.
    intros l m x. unfold without. rewrite filter_In, negb_true_iff, mem_out. tauto.
  Qed.

  Lemma union_in : forall (l m : list X) x, In x (union l m) <-> In x l \/ In x m.
  Proof.
    intros l m x. unfold union. rewrite in_app_iff, without_in.
    destruct (mem x l) eqn:M; [apply mem_in in M | apply mem_out in M]; tauto.
  Qed.

  Lemma without_once : forall l m : list X, NoDup l -> NoDup (without l m).
  Proof. intros l m N. apply NoDup_filter. trivial. Qed.

  Lemma once_app : forall l m : list X, NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) ->
    NoDup (l ++ m).
  Proof.
    induction l as [| x l IH]; simpl; intros m L M D; trivial. inversion L; subst. constructor.
    - rewrite in_app_iff. intros [I | I]; [tauto | exact (D x (or_introl eq_refl) I)].
    - apply IH; trivial. auto.
  Qed.

  Lemma app_once : forall l m : list X, NoDup (l ++ m) -> NoDup l /\ NoDup m /\ forall x, In x l -> ~ In x m.
  Proof.
    induction l as [| x l IH]; simpl; intros m N; [repeat split; auto; constructor |].
    inversion N as [| ? ? N1 N2]; subst. destruct (IH m N2) as (A & B & C). rewrite in_app_iff in N1.
    repeat split; trivial; [constructor; tauto |]. intros y [<- | I]; auto.
  Qed.

  Lemma union_once : forall l m : list X, NoDup l -> NoDup m -> NoDup (union l m).
  Proof.
    intros l m L M. apply once_app; trivial; [apply without_once; trivial |].
    intros x I J. apply without_in in J. tauto.
  Qed.

  Lemma without_all : forall l m : list X, (forall x, In x l -> ~ In x m) -> without l m = l.
  Proof.
    induction l as [| x l IH]; simpl; intros m D; trivial. unfold without in *. simpl.
    rewrite (proj2 (mem_out m x)) by auto. simpl. f_equal. auto.
  Qed.

  Lemma for_all_in : forall A (l : list A) g, for_all l g = true <-> forall x, In x l -> g x = true.
  Proof.
    intros A l g. induction l as [| y l IH]; simpl; [split; [tauto | trivial] |].
    rewrite both_true, IH. split; [intros [Y L] x [<- | I]; auto | auto].
  Qed.

  Lemma subset_incl : forall l m : list X, subset l m = true <-> incl l m.
  Proof.
    intros l m. unfold subset, incl. rewrite for_all_in.
    split; intros I x J; specialize (I x J); apply mem_in; trivial.
  Qed.

  Lemma same_members : forall l m : list X, NoDup l -> NoDup m -> (forall x, In x l <-> In x m) ->
    Permutation l m.
  Proof. exact (@NoDup_Permutation X). Qed.

  (** A comparison holds where both sides are defined and equal. *)
  Lemma holds_same : forall a b : option X,
    holds (let? x := a in let? y := b in Some (same x y)) = true -> a <> None /\ a = b.
  Proof.
    intros [x |] [y |] E; simpl in E; try discriminate. destruct (same_spec x y); [| discriminate].
    subst. split; congruence.
  Qed.

  (** What is at a key of M + N. *)
  Lemma look_over : forall V (m n : list (X * V)) k,
    look (over m n) k = match look n k with Some v => Some v | None => look m k end.
  Proof.
    intros V m n k. unfold over. induction m as [| [j v] m IH].
    - simpl. destruct (look n k); trivial.
    - unfold map_without in *. simpl. destruct (mem j (dom n)) eqn:M; simpl.
      + rewrite IH. destruct (look n k) eqn:L; trivial. destruct (same_spec k j) as [-> |]; trivial.
        exfalso. apply mem_in in M. clear - M L. induction n as [| [i w] n IHn]; simpl in *; [tauto |].
        destruct (same_spec j i) as [-> | Ne]; [discriminate |]. apply IHn; trivial.
        destruct M; [subst; tauto | trivial].
      + destruct (same_spec k j) as [-> |]; [| exact IH].
        replace (look n j) with (@None V); trivial. symmetry. apply mem_out in M. clear - M.
        induction n as [| [i w] n IHn]; simpl in *; trivial.
        destruct (same_spec j i) as [-> |]; [tauto |]. apply IHn. tauto.
  Qed.
End Sets.

(** A map with another value at a key that it has, or at one that it has not. *)
Lemma look_split : forall X V `{Eq X} (m : list (X * V)) k v, look m k = Some v -> NoDup (dom m) ->
  exists l r, m = l ++ (k, v) :: r /\ map_without m [k] = l ++ r.
Proof.
  intros X V EX m k v. induction m as [| [j w] m IH]; simpl; intros L N; [discriminate |].
  inversion N as [| ? ? N1 N2]; subst. destruct (same_spec k j) as [<- | Ne].
  - injection L as ->. exists [], m. split; trivial. unfold map_without. simpl. rewrite same_refl. simpl.
    clear IH N N2. induction m as [| [i u] m IH]; simpl in *; trivial.
    destruct (same_spec i k) as [-> |]; [tauto |]. simpl. f_equal. apply IH. tauto.
  - destruct (IH L N2) as (l & r & -> & E). exists ((j, w) :: l), r. split; trivial.
    unfold map_without in *. simpl. destruct (same_spec j k); [congruence |]. simpl. f_equal. trivial.
Qed.

Lemma without_new_key : forall X V `{Eq X} (m : list (X * V)) k, ~ In k (dom m) -> map_without m [k] = m.
Proof.
  intros X V EX m k I. induction m as [| [j w] m IH]; trivial. unfold map_without in *. simpl in *.
  destruct (same_spec j k) as [-> |]; [tauto |]. simpl. f_equal. tauto.
Qed.

Lemma over_once : forall X V `{Eq X} (m : list (X * V)) k v, NoDup (dom m) -> NoDup (dom (over m [(k, v)])).
Proof.
  intros X V EX m k v N. unfold over, dom in *. rewrite map_app. apply once_app.
  - change (map fst [(k, v)]) with [k]. unfold map_without.
    induction m as [| [j w] m IH]; [constructor |]. cbn [filter fst].
    inversion N as [| ? ? N1 N2]; subst. destruct (mem j [k]) eqn:M; cbn [negb map fst]; auto.
    constructor; auto. intros I. apply N1. apply in_map_iff in I. destruct I as (e & <- & I).
    apply filter_In in I. apply in_map. tauto.
  - repeat constructor. simpl. tauto.
  - simpl. intros x I [<- | []]. apply in_map_iff in I. destruct I as ([j w] & E & I). simpl in E. subst j.
    apply filter_In in I. destruct I as [_ I]. simpl in I. rewrite same_refl in I. discriminate I.
Qed.

(** A map that keeps each of its keys. *)
Lemma mapping_once : forall X V `{Eq X} (m : list (X * V)), NoDup (dom m) -> mapping m = m.
Proof.
  intros X V EX m N. unfold mapping. induction m as [| [j w] m IH]; trivial. simpl.
  inversion N as [| ? ? N1 N2]; subst. rewrite IH by trivial.
  destruct (mem j (dom m)) eqn:M; [apply mem_in in M; tauto | trivial].
Qed.

Lemma look_in : forall X V `{Eq X} (m : list (X * V)) k v, NoDup (dom m) -> In (k, v) m -> look m k = Some v.
Proof.
  intros X V EX m k v N I. induction m as [| [j w] m IH]; simpl in *; [tauto |].
  inversion N as [| ? ? N1 N2]; subst. destruct (same_spec k j) as [<- | Ne].
  - destruct I as [I | I]; [congruence |]. exfalso. apply N1. change k with (fst (k, v)). apply in_map.
    trivial.
  - destruct I as [I | I]; [congruence | auto].
Qed.

Lemma all_kept : forall X V `{Eq X} (m : list (X * V)) (test : X -> bool) (change : X -> V ->
  V), NoDup (dom m) ->
  (forall x v, In (x, v) m -> test x = true) ->
  mapping (each (dom m) (fun x => if test x then kept (let? v := look m x in Some (x, change x v)) else [])) =
  map (fun e => (fst e, change (fst e) (snd e))) m.
Proof.
  intros X V EX m test change N T.
  replace (each (dom m) (fun x => if test x then kept (let? v := look m x in Some (x,
    change x v)) else [])) with
    (map (fun e => (fst e, change (fst e) (snd e))) m).
  - apply mapping_once. unfold dom. rewrite map_map. exact N.
  - unfold each, dom. rewrite flat_map_concat_map, map_map.
    assert (G : forall l, incl l m -> map (fun e => (fst e, change (fst e) (snd e))) l =
      concat (map (fun e => if test (fst e) then kept (let? v := look m (fst e) in
        Some (fst e, change (fst e) v)) else []) l)).
    { induction l as [| [x v] l IH]; intros I; trivial. simpl.
      assert (J : In (x, v) m) by (apply I; left; trivial).
      rewrite (T x v J), (look_in _ _ _ _ _ N J). simpl. f_equal. apply IH. intros y K. apply I. right.
      trivial. }
    apply G. intros y K. trivial.
Qed.

Lemma look_map : forall X V U `{Eq X} (m : list (X * V)) (g : X -> V -> U) k,
  look (map (fun e => (fst e, g (fst e) (snd e))) m) k = option_map (g k) (look m k).
Proof.
  intros X V U EX m g k. induction m as [| [j w] m IH]; simpl; trivial.
  destruct (same_spec k j) as [<- |]; trivial.
Qed.

Lemma once_by : forall X Y (g : X -> Y) l x y, NoDup (map g l) -> In x l -> In y l -> g x = g y -> x = y.
Proof.
  intros X Y g. induction l as [| z l IH]; simpl; intros x y N I J E; [tauto |].
  inversion N as [| ? ? N1 N2]; subst.
  destruct I as [<- | I], J as [<- | J]; trivial; [| | auto]; exfalso; apply N1;
    [rewrite E | rewrite <- E]; apply in_map; trivial.
Qed.

(** * Places of sequences *)

Lemma places_next : forall A (x : A) l, places (x :: l) = 1 :: map (Z.add 1) (places l).
Proof.
  intros A x l. unfold places, range, length_of. rewrite !Z.sub_simpl_r, !Nat2Z.id. cbn [length seq map].
  f_equal. rewrite <- seq_shift, !map_map. apply map_ext. intros i. rewrite Nat2Z.inj_succ. lia.
Qed.

Lemma places_in : forall A (l : list A) i, In i (places l) <-> 1 <= i <= Z.of_nat (length l).
Proof.
  intros A l i. unfold places, range, length_of. rewrite Z.sub_simpl_r, Nat2Z.id, in_map_iff. split.
  - intros (j & <- & I). apply in_seq in I. lia.
  - intros I. exists (Z.to_nat (i - 1)). rewrite in_seq. lia.
Qed.

Lemma item_next : forall A (x : A) l i, 1 <= i -> item (x :: l) (1 + i) = item l i.
Proof.
  intros A x l i I. unfold item. rewrite !(proj2 (Z.ltb_ge _ _)) by lia.
  replace (Z.to_nat (1 + i - 1)) with (S (Z.to_nat (i - 1))) by lia. reflexivity.
Qed.

Lemma item_after : forall A (l m : list A) i, 1 <= i -> item (l ++ m) (length_of l + i) = item m i.
Proof.
  intros A l m i I. unfold length_of. induction l as [| x l IH]; trivial. simpl length.
  replace (Z.of_nat (S (length l)) + i) with (1 + (Z.of_nat (length l) + i)) by lia.
  change ((x :: l) ++ m) with (x :: l ++ m). rewrite item_next by lia. exact IH.
Qed.

(** To run through the places is to run through the members. *)
Lemma each_place : forall A B (g : option A -> list B) (l : list A),
  each (places l) (fun i => g (item l i)) = each l (fun x => g (Some x)).
Proof.
  intros A B g l. induction l as [| x l IH]; trivial. rewrite places_next. unfold each in *. cbn [flat_map].
  f_equal.
  rewrite <- IH, !flat_map_concat_map, map_map. f_equal. apply map_ext_in. intros i I.
  apply places_in in I. rewrite item_next by lia. trivial.
Qed.

Lemma each_one : forall A (l : list A), each l (fun x => [x]) = l.
Proof. intros A l. unfold each. induction l; simpl; f_equal; trivial. Qed.

Lemma each_test : forall A B (g : A -> bool) (b : B) l,
  length (each l (fun x => if g x then [b] else [])) = length (filter g l).
Proof. intros A B g b l. unfold each. induction l as [| x l IH]; simpl; trivial.
  destruct (g x); simpl; auto. Qed.

(** What has the same at each place begins with it. *)
Lemma starts_with : forall A (l m : list A),
  (forall i, In i (places l) -> item l i = item m i) -> exists r, m = l ++ r.
Proof.
  intros A. induction l as [| x l IH]; intros m E; [exists m; trivial |].
  destruct m as [| y m].
  - specialize (E 1). rewrite places_next in E. specialize (E (or_introl eq_refl)). discriminate.
  - assert (x = y) as <-.
    { specialize (E 1). rewrite places_next in E. specialize (E (or_introl eq_refl)).
      unfold item in E. simpl in E. congruence. }
    destruct (IH m) as [r ->]; [| exists r; trivial]. intros i I.
    specialize (E (1 + i)). rewrite places_next in E. rewrite !item_next in E by (apply places_in in I; lia).
    apply E. right. apply in_map. trivial.
Qed.
