(** What a card taken costs when two cards are to spare: table.md, "What a card taken costs", and the
    checks of [exchanges] with these prices. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach OutOfOrder Counting.
From Couperation Require Import Least Prices Exchanges Provenance Taken.
Import ListNotations.
Open Scope nat_scope.

(** "The other D must take it back": where F was sent, one D serves none of the cells that owe one. *)
Lemma F_besides : forall r b s ts s' x, sound r s -> wins r s ts s' -> In (x, Up F) (laid_cards s') ->
  price r b s (x, Up F) = 0 -> (exists i u, nth_error ts i = Some u /\ taken u = Some F) ->
  tower_price r b s (laid_cards s') + 1 <= all_D ts.
Proof.
  intros r b s ts s' x S Wn X P0 (i0 & u0 & E0 & T0). pose proof (wins_run _ _ _ _ Wn) as R.
  pose proof (wins_final _ _ _ _ S Wn) as Fi.
  pose (f := fun e : cell * laid => negb (price r b s e =? 0)).
  assert (E : forall V, sum (price r b s) V = sum (fun _ => 1) (map fst (filter f V))).
  { intros V. induction V as [| e V IH]; simpl; trivial. rewrite IH. unfold f at 2.
    pose proof (price_one r b s e). destruct (Nat.eqb_spec (price r b s e) 0); simpl; lia. }
  assert (Own : forall p, In p (map fst (filter f (laid_cards s'))) -> exists k,
    In (p, k) (laid_cards s') /\ price r b s (p, k) <> 0).
  { intros p P. apply in_map_iff in P. destruct P as ([q k] & Q & P). simpl in Q. subst q.
    apply filter_In in P. destruct P as [P Fp]. exists k. split; trivial.
    unfold f in Fp. apply negb_true_iff, Nat.eqb_neq in Fp. trivial. }
  unfold tower_price. rewrite E.
  replace (sum (fun _ => 1) (map fst (filter f (laid_cards s'))) + 1)
    with (sum (fun _ => 1) (x :: map fst (filter f (laid_cards s')))) by (simpl; lia).
  apply different_turns with (needs := fun p i => exists t k, nth_error ts i = Some t /\
    In (p, k) (laid_cards s') /\ taken t = Some (face k)).
  - constructor.
    + intros I. destruct (Own x I) as (k & J & Np).
      rewrite (once_laid _ _ _ _ (final_cells _ _ _ Fi) J X) in Np. congruence.
    + apply filter_once. exact (final_cells _ _ _ Fi).
  - assert (One : forall t c, taken t = Some c -> 1 <= is_D (act t)).
    { intros t c T. unfold taken in T. destruct (act t); try discriminate. simpl. lia. }
    intros p [<- | I].
    + exists i0, u0. repeat split; trivial; [exists u0, (Up F); auto | eapply One; eauto].
    + destruct (Own p I) as (k & J & Np).
      destruct (owed_D r s ts s' p R (sound_cards _ _ S) (price_owes r b s ts s' p k S Wn J Np))
        as (i & t & k' & En & Jk & T & _).
      exists i, t. repeat split; trivial; [exists t, k'; auto | eapply One; eauto].
  - intros p q i _ _ (t & k & En & Jk & T) (t' & k' & En' & Jk' & T').
    apply (faces_one _ p q k k' (final_once _ _ _ Fi) Jk Jk'). congruence.
Qed.

(** * spare = 2 *)

Section Two.

  Variable r : rulings.
  Variable b : bool.
  Variable s : table.
  Variable hands : list (list card).
  Variable dk tw : list card.
  Variable seen : bool.
  Hypothesis S : sound r s.
  Hypothesis Sp : spare s = 2%Z.
  Hypothesis Lh : lists_hands hands s.
  Hypothesis Ld : incl (deck s) dk.
  Hypothesis Lt : seen = true -> incl (faces (laid_cards s)) tw.
  Variable ts : list turn.
  Variable s' : table.
  Hypothesis Wn : wins r s ts s'.

  Notation t2' := (t2 r hands dk tw seen).

  Lemma few_D : all_D ts + all_spent ts <= 2.
  Proof. pose proof (account _ _ _ _ Wn) as Ac. unfold spare in Sp. lia. Qed.

  Lemma t2_one : forall n c, num r c = Some n ->
    (seen = true -> pair_of (concat hands ++ dk) ((concat hands ++ dk) ++ tw) (glass_makes r n) = true) ->
    t2' c = Some 1.
  Proof.
    intros n c N P. unfold t2. rewrite N. destruct seen; trivial. simpl. rewrite (P eq_refl). trivial.
  Qed.

  Lemma t2_two : forall n c, num r c = Some n ->
    pair_of (concat hands ++ dk) ((concat hands ++ dk) ++ tw)
      (fun u w => same_card u F && makes r u w n) = true \/
    existsb (fun h =>
      pair_of (h ++ dk) (h ++ dk) (fun u w => near r n u w && third (h ++ dk) u w)) hands = true ->
    exists k, t2' c = Some k /\ k <= 2.
  Proof.
    intros n c N P. unfold t2. rewrite N. destruct (_ || _); [eauto |].
    destruct (pair_of _ _ (fun u w => same_card u F && makes r u w n)); [eauto |].
    destruct P as [P | P]; [discriminate |]. rewrite P. eauto.
  Qed.

  (** Each card taken costs 1, or 2 where nothing else costs anything. *)
  Lemma item_two : forall p k, In (p, k) (laid_cards s') -> price r b s (p, k) <> 0 ->
    t2' (face k) = Some 1 \/
    ((exists n, t2' (face k) = Some n /\ n <= 2) /\ tower_price r b s (laid_cards s') <= 1 /\
      2 <= all_D ts + all_spent ts).
  Proof.
    intros p k I P. pose proof few_D as Few. pose proof (price_paid r b _ _ _ S Wn) as Paid.
    destruct (D_of_item r b s ts s' p k S Wn I P)
      as (a & t & c & s1 & s2 & u & v & E & l & x & old & Ets & Ra & Pl & Rc & Ea & El).
    assert (Sums : all_D ts = all_D a + 1 + all_D c /\ all_spent ts = all_spent a + length E + all_spent c).
    { rewrite Ets, all_D_app, all_D_cons, all_spent_app. unfold all_spent at 3. simpl. rewrite Ea. simpl.
      unfold all_spent. lia. }
    destruct Sums as [SD SE].
    pose proof (run_sound _ _ _ _ Ra S) as S1.
    destruct (pays_from _ _ _ _ _ _ _ _ _ _ Pl (sound_cards _ _ S1) Ea)
      as (Nd & Pool & Py & Tk & _ & Snt & Dst).
    rewrite El in *. destruct (pays_makes _ _ _ _ _ Py) as (n & z & Nm & Z & Mk).
    assert (Duv : u <> v) by (inversion Nd; simpl in *; intuition congruence).
    assert (Here : incl (stock s) (concat hands ++ dk)) by (apply stock_listed; trivial).
    (* F sent is no card that costs something, and is taken back *)
    assert (FB : In F [u; v] -> In F (stock s) ->
      1 <= all_D c /\ tower_price r b s (laid_cards s') + 1 <= all_D ts).
    { intros J SF. assert (Nr : ~ In F (reserve s)).
      { intros Q. apply (stock_alone s F (sound_cards _ _ S) SF). rewrite !in_app_iff. auto. }
      destruct (F_laid_at_end r s ts s' S Wn (stock_cards s F SF)) as (y & Y).
      assert (P0 : price r b s (y, Up F) = 0).
      { destruct (Nat.eq_dec (price r b s (y, Up F)) 0) as [| Np]; trivial.
        destruct (Nr (F_waits r b s ts s' y S Wn Y Np)). }
      assert (Nf : F <> face k).
      { intros Ef. assert (p = y) as ->.
        { apply (faces_one _ p y k (Up F) (final_once _ _ _ (wins_final _ _ _ _ S Wn)) I Y). auto. }
        rewrite (once_laid _ _ _ _ (final_cells _ _ _ (wins_final _ _ _ _ S Wn)) I Y) in P. congruence. }
      destruct (F_taken_back r s1 c s' s2 t S1 Pl Rc) as [L (i & w & Ei & Ti)].
      - exact (in_map (fun e => face (snd e)) _ _ Y).
      - auto.
      - split; trivial. apply (F_besides r b s ts s' y S Wn Y P0).
        exists (length a + Datatypes.S i), w. split; trivial. rewrite Ets, nth_error_app2 by lia.
        replace (length a + Datatypes.S i - length a) with (Datatypes.S i) by lia. trivial. }
    destruct E as [| z1 E].
    - (* nothing destroyed *)
      simpl in Z. replace (n - z)%Z with n in Mk by lia.
      destruct (one_replaced r s a s1 Ra ltac:(lia)) as (y & Hy & From).
      assert (Fu : forall d, In d [u; v] -> In d (stock s) \/ y = Some d).
      { intros d D. apply From. apply (pool_stock s1 (due s1)). apply Pool. trivial. }
      destruct (in_dec card_dec F [u; v]) as [JF | JF].
      + (* F is sent *)
        right. assert (SF : In F (stock s)).
        { destruct (Fu F JF) as [Q | Q]; trivial. exfalso. destruct (Hy F Q) as [Q1 Q2].
          assert (Fc : In F (all_cards s)).
          { unfold all_cards, faces in *. rewrite !in_app_iff. auto. }
          destruct (F_laid_at_end r s ts s' S Wn Fc) as (w & Y).
          assert (Nf : F <> face k).
          { intros Ef. assert (p = w) as ->.
            { apply (faces_one _ p w k (Up F) (final_once _ _ _ (wins_final _ _ _ _ S Wn)) I Y). auto. }
            rewrite (once_laid _ _ _ _ (final_cells _ _ _ (wins_final _ _ _ _ S Wn)) I Y) in P.
            pose proof (F_waits r b s ts s' w S Wn Y P) as Rf.
            apply (one_place s F (sound_cards _ _ S) Q1). apply in_or_app. auto. }
          destruct (F_taken_back r s1 c s' s2 t S1 Pl Rc) as [L _]; [| auto | lia].
          exact (in_map (fun e => face (snd e)) _ _ Y). }
        destruct (FB JF SF) as [Lc Tp]. split; [| lia].
        assert (Za : all_D a = 0) by lia.
        assert (Su : forall d, In d [u; v] -> In d (stock s)).
        { intros d D. apply (run_stock _ _ _ _ Ra Za). apply (pool_stock s1 (due s1)). apply Pool. trivial. }
        apply (t2_two n); trivial. left. destruct JF as [Eu | [Ev | []]].
        * subst u. apply pair_of_true with F v.
          -- apply Here. trivial.
          -- apply in_or_app. left. apply Here, Su. simpl. auto.
          -- trivial.
          -- rewrite Mk. trivial.
        * subst v. apply pair_of_true with F u.
          -- apply Here. trivial.
          -- apply in_or_app. left. apply Here, Su. simpl. auto.
          -- congruence.
          -- rewrite makes_sym, Mk. trivial.
      + (* two Glass cards are sent *)
        left. apply (t2_one n); trivial. intros Sn. specialize (Lt Sn).
        assert (Gm : glass_makes r n u v = true /\ glass_makes r n v u = true).
        { unfold glass_makes. rewrite (makes_sym r v u), Mk, !(proj2 (no_F_true _)); auto;
            intros ->; apply JF; simpl; auto. }
        destruct Gm as [G1 G2].
        destruct (Fu u) as [Su | Yu]; [simpl; auto | |].
        * apply pair_of_true with u v; trivial; [apply Here; trivial |]. apply in_or_app.
          destruct (Fu v) as [Sv | Yv]; [simpl; auto | left; apply Here; trivial | right].
          apply Lt. apply (Hy v Yv).
        * destruct (Fu v) as [Sv | Yv]; [simpl; auto | | congruence].
          apply pair_of_true with v u; trivial; [apply Here; trivial | | congruence].
          apply in_or_app. right. apply Lt. apply (Hy u Yu).
    - (* one card destroyed: this is the only D *)
      simpl in SE. destruct E as [| z2 E]; [| simpl in SE; lia].
      assert (Za : all_D a = 0) by lia. assert (Zc : all_D c = 0) by lia.
      right. split; [| lia].
      assert (Pu : incl [u; v; z1] (pool s (due s1))).
      { intros d D. apply (run_pool _ _ _ _ Ra Za). apply Pool. trivial. }
      assert (Su : forall d, In d [u; v; z1] -> In d (stock s)).
      { intros d D. apply (pool_stock s (due s1)). auto. }
      assert (NF : ~ In F [u; v; z1]).
      { intros J. pose proof (Su F J) as SF. destruct (in_dec card_dec F [u; v]) as [J2 | J2].
        - destruct (FB J2 SF). lia.
        - assert (z1 = F) as Ez by (simpl in *; tauto).
          destruct (F_laid_at_end r s ts s' S Wn (stock_cards s F SF)) as (y & Y).
          pose proof (run_sound _ _ _ _ (wins_run _ _ _ _ Wn) S) as S'.
          apply (one_place s' F (sound_cards _ _ S')).
          + exact (in_map (fun e => face (snd e)) _ _ Y).
          + apply in_or_app. right. apply (run_gone _ _ _ _ Rc). apply Dst. simpl. auto. }
      assert (Ng : forall d, In d [u; v; z1] -> no_F d = true).
      { intros d D. apply no_F_true. intros ->. tauto. }
      assert (Gm : glass_makes r (n - z) u v = true).
      { unfold glass_makes. rewrite Mk, !Ng; simpl; auto. }
      assert (Iu : In u [u; v; z1]) by (simpl; auto). assert (Iv : In v [u; v; z1]) by (simpl; auto).
      assert (Iz : In z1 [u; v; z1]) by (simpl; auto).
      destruct (Z.eq_dec z 0) as [-> | Nz].
      + exists 1. split; [| lia]. apply (t2_one n); trivial. intros _. replace (n - 0)%Z with n in Gm by lia.
        apply pair_of_true with u v; trivial; [apply Here; auto | apply in_or_app; left; apply Here; auto].
      + apply (t2_two n); trivial. right.
        destruct (pool_listed hands dk s (due s1) Lh Ld) as (h & Ih & Ph).
        { rewrite <- (run_players _ _ _ _ Ra). exact (due_player _ _ _ _ Pl). }
        apply existsb_exists. exists h. split; trivial.
        apply pair_of_true with u v; trivial; try (apply Ph, Pu; trivial).
        apply andb_true_iff. split.
        * unfold near. simpl in Z. apply orb_true_iff.
          destruct (Z.eq_dec z 1) as [-> | N1]; [left; trivial | right].
          replace (n + 1)%Z with (n - z)%Z by lia. trivial.
        * unfold third. apply existsb_exists. exists z1. split; [apply Ph, Pu; trivial |].
          assert (D1 : z1 <> u /\ z1 <> v).
          { inversion Nd as [| ? ? M1 M2]. inversion M2 as [| ? ? M3 M4].
            split; intros ->; [apply M1 | apply M3]; simpl; auto. }
          rewrite Ng by trivial. simpl. apply andb_true_iff. split; apply negb_true_iff;
            [destruct (same_card z1 u) eqn:Q | destruct (same_card z1 v) eqn:Q]; trivial;
            apply same_card_true in Q; tauto.
  Qed.

  Lemma bill_two : exists n, bill t2' r b s (laid_cards s') = Some n /\ n <= all_D ts + all_spent ts.
  Proof.
    pose proof few_D as Few. pose proof (price_paid r b _ _ _ S Wn) as Paid.
    destruct (le_lt_dec (tower_price r b s (laid_cards s')) 1) as [L | G];
      [destruct (le_lt_dec 2 (all_D ts + all_spent ts)) as [M | M] |].
    - destruct (bill_dear t2' r b s 2 (laid_cards s')) as (n & B & Q); [| exists n; split; [trivial | lia]].
      intros [p k] I P. destruct (item_two p k I P) as [E | [(n & E & Q) _]]; eauto.
    - destruct (bill_dear t2' r b s 1 (laid_cards s')) as (n & B & Q); [| exists n; split; [trivial | lia]].
      intros [p k] I P. destruct (item_two p k I P) as [E | (_ & _ & Q)]; [eauto | lia].
    - destruct (bill_dear t2' r b s 1 (laid_cards s')) as (n & B & Q); [| exists n; split; [trivial | lia]].
      intros [p k] I P. destruct (item_two p k I P) as [E | (_ & Q & _)]; [eauto | lia].
  Qed.

End Two.

Theorem affords_t2 : forall r b s hands dk tw seen, sound r s -> spare s = 2%Z ->
  lists_hands hands s -> incl (deck s) dk -> (seen = true -> incl (faces (laid_cards s)) tw) ->
  affords (t2 r hands dk tw seen) r b s.
Proof.
  intros r b s hands dk tw seen S Sp Lh Ld Lt ts s' Wn.
  exact (bill_two r b s hands dk tw seen S Sp Lh Ld Lt ts s' Wn).
Qed.

(** * The check of [exchanges] with these prices *)

Definition sees (os : list sight) : list card :=
  flat_map (fun o => match o with Some c => [c] | None => [] end) os.

Definition all_seen (os : list sight) : bool := negb (existsb unseen os).

(** "Only when every card of the hands and the deck is seen, and they and F in front are no more than 12."
    *)
Definition sharp (p : position) : bool :=
  forallb all_seen (p_own p) && all_seen (p_deck p) && (p_cards p <=? 12).

Definition p_faces (p : position) : list sight := map (fun a => snd (snd a)) (p_tower p).

Definition card_price (r : rulings) (p : position) : card -> option nat :=
  let hands := map sees (p_own p) in
  let dk := sees (p_deck p) in
  let tw := sees (p_faces p) in
  if sharp p then
    if (p_spare p =? 1)%Z then t1 r hands dk tw
    else if (p_spare p =? 2)%Z then t2 r hands dk tw (all_seen (p_faces p))
    else each_one
  else each_one.

(** F waits in the Reserve, and no D takes it: no final tower has a price. *)
Definition F_priceless (r : rulings) (p : position) : bool :=
  finish r && existsb is_F (p_reserve p) && match finish_value r with no_number => true | _ => false end.

Definition sharp_exchanges_check (r : rulings) (p : position) : bool :=
  F_priceless r p || prices_check (card_price r p) r true p.

Lemma sees_in : forall os c, In c (sees os) <-> In (Some c) os.
Proof.
  intros os c. unfold sees. rewrite in_flat_map. split.
  - intros ([d |] & I & J); [destruct J as [<- | []]; trivial | destruct J].
  - intros I. exists (Some c). simpl. auto.
Qed.

Lemma all_seen_incl : forall os cs, seen_as os cs -> all_seen os = true -> incl cs (sees os).
Proof.
  intros os cs A E c I. apply sees_in. apply (seen_all os cs c A); trivial.
  apply unseen_none. unfold all_seen in E. apply negb_true_iff. trivial.
Qed.

Lemma sees_incl : forall os cs, seen_as os cs -> incl (sees os) cs.
Proof. intros os cs A c I. apply sees_in in I. exact (seen_some os cs c A I). Qed.

Lemma tower_seen : forall p s, fits p s -> seen_as (p_faces p) (faces (laid_cards s)).
Proof.
  intros p s H. exists (faces (laid_cards s)). split; trivial. unfold p_faces, faces.
  pose proof (fits_tower _ _ H) as T.
  induction T as [| x e l m (_ & _ & A) T IH]; simpl; constructor; trivial.
Qed.

(** A continuation that wins can pay these prices. *)
Theorem affords_card_price : forall r b p s, sound r s -> fits p s -> affords (card_price r p) r b s.
Proof.
  intros r b p s S H. unfold card_price. destruct (sharp p) eqn:Sh; [| apply affords_one; trivial].
  unfold sharp in Sh. rewrite !andb_true_iff in Sh. destruct Sh as ((So & Sd) & _).
  rewrite forallb_forall in So.
  assert (Lh : lists_hands (map sees (p_own p)) s).
  { intros h I. destruct (all2_right _ _ _ _ _ _ (fits_own _ _ H) I) as (os & J & (A & _)).
    exists (sees os). split; [apply in_map; trivial |]. apply all_seen_incl; auto. }
  assert (Ld : incl (deck s) (sees (p_deck p))) by exact (all_seen_incl _ _ (fits_deck _ _ H) Sd).
  destruct (p_spare p =? 1)%Z eqn:E1; [| destruct (p_spare p =? 2)%Z eqn:E2; [| apply affords_one; trivial]].
  - apply Z.eqb_eq in E1. apply affords_t1; trivial.
    + rewrite (fits_spare _ _ H). trivial.
    + apply sees_incl. apply tower_seen. trivial.
    + intros c I. unfold stock. rewrite in_app_iff in *. destruct I as [I | I].
      * left. apply in_concat in I. destruct I as (l & J & I). apply in_map_iff in J.
        destruct J as (os & <- & J).
        destruct (all2_left _ _ _ _ _ _ (fits_own _ _ H) J) as (h & Ih & (A & _)).
        apply in_concat. exists h. split; trivial. exact (sees_incl _ _ A c I).
      * right. exact (sees_incl _ _ (fits_deck _ _ H) c I).
  - apply Z.eqb_eq in E2. apply affords_t2; trivial.
    + rewrite (fits_spare _ _ H). trivial.
    + intros A. apply all_seen_incl; trivial. apply tower_seen. trivial.
Qed.

(** Kind [exchanges] as table.md has it. *)
Theorem sharp_exchanges_check_dead : forall r p, sharp_exchanges_check r p = true -> dead_position r p.
Proof.
  intros r p C. apply orb_true_iff in C. destruct C as [C | C].
  - apply finish_check_dead. unfold F_priceless in C. unfold finish_check, F_in_reserve.
    rewrite !andb_true_iff in C. destruct C as ((-> & ->) & ->). simpl. apply orb_true_iff. left.
    apply orb_true_r.
  - apply (prices_check_dead _ _ _ _ C). intros s S H. apply affords_card_price; trivial.
Qed.

(** ** Examples *)

(** One card to spare: 9 and 14 of one hand make 23, of two hands they do not; a 9 of that hand is taken
    only beside an 18. *)
Example one_hand_23 : t1 base [[Glass 9; Glass 14]; []] [] [] (Glass 23) = Some 1.
Proof. vm_compute. reflexivity. Qed.

Example two_hands_23 : t1 base [[Glass 9]; [Glass 14]] [] [] (Glass 23) = None.
Proof. vm_compute. reflexivity. Qed.

Example the_9_itself : t1 base [[Glass 9; Glass 14]; []] [] [] (Glass 9) = None /\
  t1 base [[Glass 9; Glass 18]; []] [] [] (Glass 9) = Some 1.
Proof. vm_compute. auto. Qed.

(** Two to spare: two hands will do, or a card of the tower; a card destroyed beside costs two, and so
    does F sent. *)
Example two_hands_for_two : t2 base [[Glass 9]; [Glass 14]] [] [] true (Glass 23) = Some 1.
Proof. vm_compute. reflexivity. Qed.

Example one_destroyed : t2 base [[Glass 9; Glass 14; Glass 40]; []] [] [] true (Glass 24) = Some 2.
Proof. vm_compute. reflexivity. Qed.

Example F_sent : t2 (with_F is_25 any_card) [[F]; [Glass 9]] [] [] true (Glass 34) = Some 2.
Proof. vm_compute. reflexivity. Qed.

Example none_makes_it : t2 base [[Glass 9; Glass 14; Glass 40]; []] [] [] true (Glass 36) = None.
Proof. vm_compute. reflexivity. Qed.
