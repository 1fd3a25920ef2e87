(** Placing all cells and keeping numbers that are used: completability.md, "Unseen gone cards", the exchange
    along a path. *)

From Coq Require Import List ZArith Lia Bool.
From Couperation Require Import Lists EarliestDeadline.
Import ListNotations.
Open Scope Z_scope.

Section Extend.

Variable C : Type.
Variable eqb : C -> C -> bool.
Hypothesis eqb_spec : forall p q, reflect (p = q) (eqb p q).
Variables lo hi : C -> Z.

Lemma eq_dec : forall p q : C, {p = q} + {p <> q}.
Proof. intros p q. exact (reflect_dec _ _ (eqb_spec p q)). Qed.

(** f with the number v on the cell c. *)
Definition put (c : C) (v : Z) (f : C -> Z) (p : C) : Z := if eqb c p then v else f p.

Lemma put_same : forall c v f, put c v f c = v.
Proof. intros c v f. unfold put. destruct (eqb_spec c c); congruence. Qed.

Lemma put_other : forall c v f p, c <> p -> put c v f p = f p.
Proof. intros c v f p N. unfold put. destruct (eqb_spec c p); congruence. Qed.

(** A cell without a number gets one that no cell has. *)
Lemma choice_put : forall A S f c v, choice lo hi A S f -> ~ In c S -> In v A -> lo c < v < hi c ->
  (forall p, In p S -> f p <> v) -> choice lo hi A (c :: S) (put c v f).
Proof.
  intros A S f c v [W D] Nc M B Nv.
  assert (O : forall p, In p S -> c <> p) by (intros p I E; subst; auto).
  split.
  - intros p [<- | I]; [rewrite put_same; auto | rewrite put_other by auto; auto].
  - intros p q [<- | I] [<- | J]; rewrite ?put_same, ?put_other by auto; intros E; auto.
    + destruct (Nv q J). auto.
    + destruct (Nv p I). auto.
Qed.

(** Every number that f has on S is one that g has on U. *)
Definition keeps (S : list C) (f : C -> Z) (U : list C) (g : C -> Z) : Prop :=
  forall p, In p S -> exists q, In q U /\ g q = f p.

(** How many cells of S have another number by f than by g. *)
Definition differ (f g : C -> Z) (S : list C) : nat := count (fun p => negb (f p =? g p)) S.

(** "Exchanging the edges along it": where some choice g places all cells of U, and f places those of S, a
    choice that places all cells uses all numbers of f. The proof goes along the path: a cell c that f leaves
    out gets its number of g. If f has this number nowhere, one more cell is placed. If f has it on another
    cell, that cell is left out instead, and f differs from g on fewer cells. *)
Theorem extend : forall A U g, NoDup U -> choice lo hi A U g ->
  forall S f, NoDup S -> incl S U -> choice lo hi A S f -> exists h, choice lo hi A U h /\ keeps S f U h.
Proof.
  intros A U g NU G.
  assert (Main : forall k d S f, NoDup S -> incl S U -> choice lo hi A S f ->
    (length U <= length S + k)%nat -> (differ f g S <= d)%nat -> exists h, choice lo hi A U h /\
      keeps S f U h).
  { induction k as [| k IHk].
    - (* all cells are placed *)
      intros d S f NS Inc F Len _. exists f. rewrite Nat.add_0_r in Len.
      pose proof (NoDup_length_incl NS Len Inc) as Inc'. split; [| intros p I; exists p; auto].
      destruct F as [W D]. split; auto.
    - induction d as [d IHd] using lt_wf_ind. intros S f NS Inc F Len Diff.
      destruct (Exists_dec (fun c => ~ In c S) U) as [E | E].
      { intros c. destruct (in_dec eq_dec c S); auto. }
      + apply Exists_exists in E. destruct E as (c & Uc & Nc). destruct (proj1 G c Uc) as [Mv Bv].
        destruct (Exists_dec (fun p => f p = g c) S (fun p => Z.eq_dec (f p) (g c))) as [E | E].
        * (* the number of c is on another cell p *)
          apply Exists_exists in E. destruct E as (p & Ip & Ep).
          set (S' := without eqb p S). set (f' := put c (g c) f).
          assert (Np : g p <> f p) by (intros X; apply Nc; replace c with p; trivial; apply G; auto;
            congruence).
          assert (In' : forall q, In q S' -> In q S /\ p <> q)
            by (intros q I; apply in_without in I; trivial).
          assert (F' : choice lo hi A (c :: S') f').
          { apply choice_put; trivial.
            - destruct F as [W D]. split; [intros q I; apply W, In', I |].
              intros q r I J. apply D; apply In'; trivial.
            - intros I. apply Nc, In', I.
            - intros q I X. destruct (In' q I) as [Iq N]. apply N, (proj2 F); trivial. congruence. }
          assert (NS' : NoDup (c :: S')) by (constructor;
            [intros I; apply Nc, In', I | apply NoDup_filter, NS]).
          assert (Inc' : incl (c :: S') U) by (intros q [<- | I]; [trivial | apply Inc, In', I]).
          assert (L' : length S = Datatypes.S (length S')).
          { pose proof (count_without _ eqb eqb_spec (fun _ => true) p S NS Ip) as X. fold S' in X.
            rewrite !count_all in X by trivial. exact X. }
          assert (D' : (differ f' g (c :: S') < differ f g S)%nat).
          { unfold differ. rewrite count_cons. unfold f' at 1. rewrite put_same, Z.eqb_refl. cbn [negb].
            rewrite (count_without _ eqb eqb_spec _ p S NS Ip). fold S'.
            destruct (Z.eqb_spec (f p) (g p)) as [X | _]; [congruence |]. cbn [negb]. apply le_n_S.
            apply count_le. intros q I. unfold f'. rewrite put_other; [trivial |].
            intros ->. apply Nc, In', I. }
          destruct (IHd (differ f' g (c :: S'))) with (S := c :: S') (f := f') as (h & H & K); trivial.
          -- lia.
          -- cbn [length]. lia.
          -- exists h. split; trivial. intros q Iq. destruct (eq_dec p q) as [<- | Nq].
             ++ destruct (K c (or_introl eq_refl)) as (r & Ir & Er). exists r. split; trivial.
                unfold f' in Er. rewrite put_same in Er. congruence.
             ++ destruct (K q) as (r & Ir & Er); [right; apply in_without; auto |]. exists r. split; trivial.
                unfold f' in Er. rewrite put_other in Er by (intros ->; auto). trivial.
        * (* no cell has the number of c *)
          set (f' := put c (g c) f).
          assert (F' : choice lo hi A (c :: S) f').
          { apply choice_put; trivial. intros p I X. apply E, Exists_exists. eauto. }
          destruct (IHk (differ f' g (c :: S)) (c :: S) f') as (h & H & K); trivial.
          -- constructor; trivial.
          -- intros q [<- | I]; auto.
          -- cbn [length]. lia.
          -- exists h. split; trivial. intros q I. destruct (K q (or_intror I)) as (r & Ir & Er).
             exists r. split; trivial. unfold f' in Er. rewrite put_other in Er by (intros ->; auto). trivial.
      + (* f places all cells *)
        exists f. assert (Inc' : incl U S).
        { intros c I. destruct (in_dec eq_dec c S); trivial. exfalso. apply E, Exists_exists. eauto. }
        destruct F as [W D]. split; [split; auto | intros p I; exists p; auto]. }
  intros S f NS Inc F. apply (Main (length U) (differ f g S)); trivial. lia.
Qed.

End Extend.
