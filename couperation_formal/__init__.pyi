"""The public names, and where each lives: read by type checkers, and by the package itself when a name is used."""

from couperation_formal.game.fact import Datum as Datum, Fact as Fact, Steps as Steps
from couperation_formal.game.record import (
    Action as Action,
    Change as Change,
    Comment as Comment,
    Diagnostic as Diagnostic,
    Edit as Edit,
    Exchange as Exchange,
    Game as Game,
    LayDown as LayDown,
    Layout as Layout,
    LayUp as LayUp,
    NoAction as NoAction,
    Open as Open,
    Outcome as Outcome,
    Position as Position,
    Proviso as Proviso,
    Reached as Reached,
    Record as Record,
    Result as Result,
    Severity as Severity,
    Snapshot as Snapshot,
    Span as Span,
    Term as Term,
    Turn as Turn,
    TurnLayout as TurnLayout,
    Verdict as Verdict,
)
from couperation_formal.game.replay import Doubt as Doubt
from couperation_formal.game.rules.moves import Move as Move, Moves as Moves
from couperation_formal.game.rulings import (
    Option as Option,
    Rules as Rules,
    RulesError as RulesError,
    Ruling as Ruling,
    Rulings as Rulings,
    Stand as Stand,
    TextStand as TextStand,
    load_rules as load_rules,
    parse_rules as parse_rules,
)
from couperation_formal.game.state import Pile as Pile, State as State
from couperation_formal.game.tower import (
    FINISH as FINISH,
    UNSEEN as UNSEEN,
    Board as Board,
    Card as Card,
    Cell as Cell,
    Down as Down,
    FinishCard as FinishCard,
    Laid as Laid,
    Mark as Mark,
    Shown as Shown,
    Tower as Tower,
    UnseenCard as UnseenCard,
    Up as Up,
    Value as Value,
    Variant as Variant,
)
from couperation_formal.hidden.smt.infer import Claim as Claim, Clash as Clash, Inference as Inference, Known as Known
from couperation_formal.notation.parse import MarksError as MarksError, OwnMarks as OwnMarks, read_marks as read_marks
from couperation_formal.notation.read import (
    Item as Item,
    Malformed as Malformed,
    read as read,
    read_stream as read_stream,
    read_text as read_text,
)
from couperation_formal.notation.write import action_text as action_text, turn_text as turn_text
from couperation_formal.output.blocks import Paragraph as Paragraph
from couperation_formal.output.report import (
    ClauseSource as ClauseSource,
    ClauseText as ClauseText,
    Conflict as Conflict,
    Correct as Correct,
    Report as Report,
)
from couperation_formal.questions.disputes.dispute import (
    Dispute as Dispute,
    DisputeData as DisputeData,
    QuarrelData as QuarrelData,
    dispute as dispute,
)
from couperation_formal.questions.disputes.infer import InferData as InferData, Marks as Marks, infer as infer
from couperation_formal.questions.disputes.judging import BookVerdict as BookVerdict
from couperation_formal.questions.records.check import (
    CheckData as CheckData,
    Engine as Engine,
    EngineDisagreement as EngineDisagreement,
    check as check,
    report_data as report_data,
)
from couperation_formal.questions.records.explain import (
    Explained as Explained,
    RulebookText as RulebookText,
    explain as explain,
)
from couperation_formal.questions.records.fmt import (
    canonical as canonical,
    format_item as format_item,
    new_record as new_record,
    record_text as record_text,
)
from couperation_formal.questions.records.sample import (
    Cards as Cards,
    IllegalPlay as IllegalPlay,
    Policy as Policy,
    Table as Table,
    sample_game as sample_game,
)
from couperation_formal.questions.records.states import (
    GameLike as GameLike,
    NoSuchTurn as NoSuchTurn,
    PlaceLike as PlaceLike,
    position_after as position_after,
    seen_by as seen_by,
    state_after as state_after,
)
from couperation_formal.questions.schemas import schema as schema
from couperation_formal.questions.tables.ask import (
    Level as Level,
    NoTower as NoTower,
    Situation as Situation,
    position_text as position_text,
)
from couperation_formal.questions.tables.complete import (
    CompleteData as CompleteData,
    Completion as Completion,
    Outlook as Outlook,
    TableAnswer as TableAnswer,
    TableCompleteData as TableCompleteData,
    TowerEngine as TowerEngine,
    WindowsData as WindowsData,
    complete as complete,
    table_winnable as table_winnable,
    tower_completable as tower_completable,
    windows as windows,
)
from couperation_formal.questions.tables.deadlock import (
    DeadlockData as DeadlockData,
    Saving as Saving,
    Scan as Scan,
    TableDeadlockData as TableDeadlockData,
    TableScan as TableScan,
    Undetermined as Undetermined,
    deadlock as deadlock,
    first_dead_turn as first_dead_turn,
)
from couperation_formal.questions.tables.moves import (
    Judged as Judged,
    JudgedData as JudgedData,
    MovesData as MovesData,
    Prospect as Prospect,
    TableMovesData as TableMovesData,
    moves as moves,
    moves_data as moves_data,
    prospect as prospect,
)
from couperation_formal.towers.completion.answer import (
    Completable as Completable,
    Deadlocked as Deadlocked,
    Mended as Mended,
    TowerAnswer as TowerAnswer,
    Windows as Windows,
)
from couperation_formal.towers.continuation.answer import (
    Answer as Answer,
    Dead as Dead,
    Exhausted as Exhausted,
    Unknown as Unknown,
    Won as Won,
)

__version__: str
__all__: list[str]
