"""The cases of clauses by which games are counted: the reference names each one where it carries it out."""

from __future__ import annotations

CASES = frozenset(
    {
        *("K2.8 production of a token", "K3.1", "K3.6", "K3.7", "K3.7 1 cards", "K3.7 2 cards", "K3.7 3 cards"),
        *("K3.7 two cards of a kind (K-R34)", "K3.7 card of a terrain without number (K-R32)", "K3.8", "K3.9"),
        *("K3.9 a path that would join two cities", "K3.9 no legal path (K-R13)", "K3.10 double arrow without effect"),
        *("K4.1", "K4.2", "K4.2 card before the roll", "K4.3", "K4.3a", "K4.3a several seats discard (K-R33)", "K4.4"),
        *("K4.4 a neutral post gets nothing", "K4.4a shortage", "K4.4b gold for no post there"),
        *(
            "K4.4b neither cards nor gold",
            "K4.5 reserve of gold runs out",
            "K4.6",
            "K4.6 no production under the robber",
        ),
        *("K4.7", "K4.7 nobody to rob"),
        *("K5.1 for a resource", "K5.1 for gold", "K5.2", "K5.2 for the second time", "K5.3 gold between players"),
        *("K5.3a", "K5.3a cancelled", "K5.3b", "K5.3b can only refuse", "K5.3c nobody accepts", "K5.3c one accepts"),
        *("K5.3c several accept", "K6.1 own post with a merchant (K-R19)", "K6.1 no room for a caravan"),
        *(
            "K6.1 no route in supply",
            "K6.2",
            "K6.2 the played cards become the pile",
            "K6.3 merchants",
            "K6.3 caravans",
        ),
        *("K6.3 lifted, merchants", "K6.3 lifted, caravans", "K6.4", "K6.5 inside one net", "K6.5 one isolated city"),
        *("K6.5 two isolated cities", "K6.5 two nets of several cities", "K6.5 several owners are paid", "K6.6"),
        *("K6.6 more than 16 choices", "K6.7", "K6.7 onto another double arrow (K-R21)", "K6.7 declined"),
        *("K6.7 no route in supply", "K6.7 no unbuilt neighbour", "K7.1 1 wheat", "K7.1 2 wheat"),
        *("K7.1 3 wheat or more", "K7.2 onto an own post", "K7.3", "K7.4 the last post of the stock"),
        *("K7.4 gold of the city", "K7.5 from the sea", "K7.5 from another terrain", "K7.5 declined"),
        *("K7.5 from the terrain of the robber", "K7.5 all terrains have numbers", "K8.1 the first salt"),
        *("K8.1 a further salt", "K8.1 stop", "K8.1 stop with steps left", "K8.2 passes a full route"),
        *("K8.2 a full route that could not be left", "K8.3 toll", "K8.3 no second toll", "K8.3 no gold for the toll"),
        *("K8.3 a lifted caravan is a new one (K-R27)", "K8.4", "K8.4 under a neutral post"),
        *("K8.4 in the middle of a drive", "K8.6 only the stop is left", "K9.1 safe_conduct"),
        *("K9.1 safe_conduct, second route", "K9.1 safe_conduct, declined (K-R35)", "K9.1 trade_treaty"),
        *("K9.1 safe_conduct, no second route", "K9.1 trade_treaty, gold", "K9.1 trade_treaty, walk", "K9.1 bribe"),
        *(
            "K9.1 lancer",
            "K9.1 not the one bought this turn",
            "K9.1 without effect (K-R29)",
            "K9.2 no toll under bribe",
        ),
        *("K10.1", "K10.1 in a drive", "K10.1 outside a drive", "K10.3", "K10.3 several winners"),
    }
)
NOT_ASKED = {
    "Steal": "K4.7 nobody to rob",
    "ArrowRoute": "K6.7 no unbuilt neighbour",
    "PlaceToken": "K7.5 all terrains have numbers",
    "Drive": "K8.6 only the stop is left",
    "SafeConduct": "K9.1 safe_conduct, no second route",
    "StartRoute": "K3.9 no legal path (K-R13)",
}
"""The case in which each decision is not asked (K12), by its name."""
