//! What is claimed, and on which conditions.

use maud::{Markup, html};

use super::Shown;
use super::words::text;
use crate::report::Stage;

pub(super) fn section(shown: Shown<'_>) -> Markup {
    let claims = &shown.plan.claims;
    let list = |title: &str, lines: &[String]| {
        html! {
            div.card { h3 { (title) } ul { @for line in lines { li { (text(line)) } } } }
        }
    };
    html! {
        section {
            h2 { "What it rests on" }
            div.cards {
                div.card.wide {
                    h3 { "Guards" }
                    table {
                        thead { tr { th { "when" } th { "what is checked" } th { "what comes of a refusal" } th { "what runs then" } } }
                        tbody {
                            @for guard in &claims.guards {
                                tr {
                                    td { @match guard.stage {
                                        Stage::Build => "build", Stage::Load => "load", Stage::Run => "run",
                                    } }
                                    td { (text(&guard.check)) }
                                    td { (text(&guard.refusal)) }
                                    td { (text(guard.fallback.as_deref().unwrap_or("nothing"))) }
                                }
                            }
                        }
                    }
                }
                (list("Not claimed", &claims.limits))
                div.card {
                    h3 { "Not counted" }
                    ul { @for excluded in &shown.plan.excluded {
                        li { (text(&excluded.what)) ": " span.dim { (text(&excluded.why)) } }
                    } }
                }
                (list("Left to others", &claims.delegated))
                (list("Void with", &claims.invalidation))
                (list("Falsified by", &claims.falsified_by))
            }
        }
    }
}
