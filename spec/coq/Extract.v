(** The checker as an OCaml program: proved.ml in the folder where this file is compiled. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Couperation Require Import Position Reasons TowerChecker CountingChecker.

Extraction Language OCaml.
Extraction "proved.ml" accepts told printed count_ok table_rulings.
