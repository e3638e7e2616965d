"""Tool lists of invented servers, each in the manner of some kind of real one; and those of real servers, where they are present."""

import json
import os
from pathlib import Path
from typing import Any

from mcp_sim.core.world import World
from mcp_sim.tool_specs.mending import mend_all

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
TEXTS = {"type": "array", "items": {"type": "string"}}
TRUTH = {"type": "boolean"}


def said(description: str, of: dict[str, Any] = TEXT) -> dict[str, Any]:
    """The schema of an argument with what its author says of it."""
    return {**of, "description": description}


def tool(name: str, /, _output: Any = None, _hints: dict[str, bool] | None = None, _says: str = "", **arguments: Any) -> dict[str, Any]:
    """A tool; an argument whose name ends in `_` is optional."""
    properties = {key.removesuffix("_"): value for key, value in arguments.items()}
    required = [key for key in arguments if not key.endswith("_")]
    raw: dict[str, Any] = {"name": name, "inputSchema": {"type": "object", "properties": properties, "required": required}}
    if _says:
        raw["description"] = _says
    if _output is not None:
        raw["outputSchema"] = _output
    if _hints is not None:
        raw["annotations"] = _hints
    return raw


def one_of(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def world_of(name: str, tools: list[dict[str, Any]], **fields: Any) -> World:
    served, _ = mend_all(tools)
    return World(name=name, key=name, source=name, tools=served, **fields)


_PRODUCT = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^prod_[a-z0-9]{8}$"},
        "name": TEXT,
        "price_cents": {"type": "integer", "minimum": 0},
        "tags": TEXTS,
        "in_stock": TRUTH,
        "created_at": {"type": "string", "format": "date-time"},
    },
    "required": ["id", "name", "price_cents", "in_stock", "created_at"],
    "additionalProperties": False,
}

INVENTED: dict[str, list[dict[str, Any]]] = {
    "tasks": [
        tool("create_task", title=TEXT, description_=TEXT, status_=one_of("open", "closed"), assignee_=TEXT, labels_=TEXTS),
        tool("get_task", task_id=NUMBER),
        tool("list_tasks", status_=one_of("open", "closed", "all"), assignee_=TEXT, limit_=NUMBER, offset_=NUMBER),
        tool("search_tasks", query=TEXT),
        tool("update_task", task_id=NUMBER, title_=TEXT, description_=TEXT, assignee_=TEXT, labels_=TEXTS),
        tool("close_task", task_id=NUMBER),
        tool("delete_task", task_id=NUMBER),
        tool("count_tasks"),
    ],
    "forge": [
        tool("create_issue", owner=TEXT, repo=TEXT, title=TEXT, body_=TEXT, labels_=TEXTS),
        tool("get_issue", owner=TEXT, repo=TEXT, issue_number={"type": "number"}),
        tool("list_issues", owner=TEXT, repo=TEXT, state_=one_of("open", "closed", "all"), page_=NUMBER, per_page_=NUMBER),
        tool("update_issue", owner=TEXT, repo=TEXT, issue_number={"type": "number"}, title_=TEXT, state_=one_of("open", "closed")),
        tool("create_pull_request", owner=TEXT, repo=TEXT, title=TEXT, head=TEXT, base=TEXT),
        tool("get_pull_request", owner=TEXT, repo=TEXT, pull_number={"type": "number"}),
        tool("list_pull_requests", owner=TEXT, repo=TEXT, page_=NUMBER, per_page_=NUMBER),
        tool("add_issue_comment", owner=TEXT, repo=TEXT, issue_number={"type": "number"}, body=TEXT),
        tool("list_issue_comments", owner=TEXT, repo=TEXT, issue_number={"type": "number"}),
    ],
    "camel": [
        tool("createProject", name=TEXT, description_=TEXT),
        tool("getProject", projectId=TEXT),
        tool("listProjects", limit_=NUMBER, cursor_=TEXT),
        tool("deleteProject", projectId=TEXT),
        tool("createSection", projectId=TEXT, title=TEXT),
        tool("listSections", projectId=TEXT),
        tool("getSection", projectId=TEXT, sectionId=TEXT),
        tool("updateSection", projectId=TEXT, sectionId=TEXT, title=TEXT),
        tool("deleteSection", projectId=TEXT, sectionId=TEXT),
    ],
    "keys": [
        tool("create_ticket", project_key=TEXT, summary=TEXT, priority_=one_of("low", "medium", "high")),
        tool("get_ticket", ticket_key={"type": "string", "description": "Key of the ticket, e.g. OPS-123"}),
        tool("list_tickets", project_key=TEXT, startAt_=NUMBER, maxResults_=NUMBER),
        tool("edit_ticket", ticket_key=TEXT, summary_=TEXT, priority_=one_of("low", "medium", "high")),
        tool("remove_ticket", ticket_key=TEXT),
        tool("add_ticket_comment", ticket_key=TEXT, body=TEXT),
        tool("list_ticket_comments", ticket_key=TEXT),
    ],
    "calendar": [
        tool("calendar_list_calendars"),
        tool("calendar_create_event", calendar_id=TEXT, summary=TEXT, start=TEXT, end=TEXT, attendees_=TEXTS),
        tool("calendar_get_event", calendar_id=TEXT, event_id=TEXT),
        tool("calendar_list_events", calendar_id=TEXT, page_token_=TEXT, page_size_={"type": "integer", "maximum": 50, "default": 4}),
        tool("calendar_update_event", calendar_id=TEXT, event_id=TEXT, summary_=TEXT, start_=TEXT, end_=TEXT),
        tool("calendar_delete_event", calendar_id=TEXT, event_id=TEXT),
    ],
    "verbs-last": [
        tool("notes.create", title=TEXT, content=TEXT, tags_=TEXTS),
        tool("notes.get", id=TEXT),
        tool("notes.list", page_=NUMBER, limit_=NUMBER),
        tool("notes.update", id=TEXT, title_=TEXT, content_=TEXT),
        tool("notes.delete", id=TEXT),
        tool("notes.search", q=TEXT),
    ],
    "named": [
        tool("create_deployment", namespace=TEXT, name=TEXT, replicas=NUMBER, image=TEXT),
        tool("describe_deployment", namespace=TEXT, name=TEXT),
        tool("list_deployments", namespace=TEXT),
        tool("patch_deployment", namespace=TEXT, name=TEXT, replicas_=NUMBER, image_=TEXT),
        tool("delete_deployment", namespace=TEXT, name=TEXT),
    ],
    "labels": [
        tool("create_contact", name=TEXT, email=TEXT, tags_=TEXTS),
        tool("get_contact", contact_id=TEXT),
        tool("list_contacts", limit_=NUMBER, starting_after_=TEXT),
        tool("update_contact", contact_id=TEXT, name_=TEXT, email_=TEXT),
        tool("add_tags_to_contact", contact_id=TEXT, tags=TEXTS),
        tool("remove_tags_from_contact", contact_id=TEXT, tags=TEXTS),
        tool("delete_contact", contact_id=TEXT),
    ],
    "wide": [
        tool("create_board", name=TEXT),
        tool("list_boards"),
        tool("get_board", board_id=TEXT),
        tool("delete_board", board_id=TEXT),
        tool("create_card", board_id=TEXT, name=TEXT, due_=TEXT),
        tool("list_cards", board_id=TEXT),
        tool("get_card", card_id=TEXT),
        tool("update_card", card_id=TEXT, name_=TEXT, due_=TEXT),
        tool("delete_card", card_id=TEXT),
    ],
    "schemas": [
        tool(
            "create_product",
            {"type": "object", "properties": {"product": _PRODUCT}, "required": ["product"]},
            name=TEXT,
            price_cents=NUMBER,
        ),
        tool("get_product", _PRODUCT, product_id=TEXT),
        tool(
            "list_products",
            {
                "type": "object",
                "properties": {"products": {"type": "array", "items": _PRODUCT}, "total": NUMBER, "has_more": TRUTH},
                "required": ["products", "total", "has_more"],
            },
            limit_=NUMBER,
            offset_=NUMBER,
        ),
        tool("update_product", _PRODUCT, product_id=TEXT, name_=TEXT, price_cents_=NUMBER),
        tool("delete_product", {"type": "object", "properties": {"deleted": TRUTH}, "required": ["deleted"]}, product_id=TEXT),
    ],
    "rest": [
        tool("API-post-page", parent_={"type": "object"}, title=TEXT, children_={"type": "array", "items": {"type": "object"}}),
        tool("API-retrieve-a-page", page_id={"type": "string", "format": "uuid"}),
        tool("API-patch-page", page_id=TEXT, title_=TEXT, archived_=TRUTH),
        tool("API-delete-a-page", page_id=TEXT),
        tool("API-get-pages", start_cursor_=TEXT, page_size_=NUMBER),
    ],
    "modes": [
        tool("manage_tag", action=one_of("list", "create", "delete"), tag_name_=TEXT, message_=TEXT),
    ],
    "cards": [
        tool("get_lists"),
        tool("add_list_to_board", name=TEXT),
        tool("get_list", listId=TEXT),
        tool("delete_list", listId=TEXT),
        tool("get_cards_by_list_id", listId=TEXT),
        tool("add_card_to_list", listId=TEXT, name=TEXT, description_=TEXT),
        tool("get_card", cardId=TEXT),
        tool("update_card_details", cardId=TEXT, name_=TEXT),
        tool("move_card", cardId=TEXT, listId=TEXT),
    ],
    "teams": [
        tool("create_team", name=TEXT),
        tool("get_team", team_id=TEXT),
        tool("list_teams"),
        tool("delete_team", team_id=TEXT),
        tool("add_team_member", team_id=TEXT, user_id=TEXT, role_=TEXT),
        tool("remove_team_member", team_id=TEXT, user_id=TEXT),
        tool("list_team_members", team_id=TEXT),
    ],
    "prices": [
        tool("create_price", product=TEXT, unit_amount=NUMBER, currency=one_of("EUR", "USD")),
        tool("get_price", price_id=TEXT),
        tool("list_prices", product_=TEXT, limit_=NUMBER, starting_after_=TEXT),
        tool("update_price", price_id=TEXT, unit_amount_=NUMBER),
    ],
    "mail": [
        tool("send_email", to=TEXTS, subject=TEXT, body=TEXT),
        tool("read_email", messageId=TEXT),
        tool("search_emails", query=TEXT, maxResults_=NUMBER),
        tool("delete_email", messageId=TEXT),
    ],
    "kubernetes": [
        tool("namespace_create", name=TEXT),
        tool("namespace_list"),
        tool("namespace_describe", name=TEXT),
        tool("namespace_delete", name=TEXT),
        tool("configmap_create", namespace=TEXT, name=TEXT, data={"type": "object", "additionalProperties": TEXT}),
        tool("configmap_describe", namespace=TEXT, name=TEXT),
        tool("configmap_list", namespace=TEXT),
        tool("configmap_patch", namespace=TEXT, name=TEXT, data={"type": "object", "additionalProperties": TEXT}),
        tool("configmap_delete", namespace=TEXT, name=TEXT),
        tool("pod_logs", _hints={"readOnlyHint": True}, namespace=TEXT, pod=TEXT, tail_=NUMBER),
    ],
    "payments": [
        tool("create_customer", name=TEXT, email_=TEXT),
        tool("list_customers", limit_=NUMBER, email_=TEXT),
        tool("retrieve_customer", customer=said("The ID of the customer, e.g. cus_NffrFeUfNV2Hib")),
        tool("create_invoice", customer=said("The ID of the customer to bill"), days_until_due_=NUMBER),
        tool("retrieve_invoice", invoice=said("The ID of the invoice")),
        tool("list_invoices", customer_=TEXT, limit_=NUMBER),
        tool("update_invoice", invoice=TEXT, days_until_due_=NUMBER),
        tool("delete_invoice", invoice=TEXT),
        tool("retrieve_balance"),
    ],
    "meetings": [
        tool("createMeeting", calendarId=TEXT, summary=TEXT, start={"type": "object", "properties": {"dateTime": TEXT}}, attendees_=TEXTS),
        tool("getMeeting", calendarId=TEXT, meetingId=TEXT),
        tool("listMeetings", calendarId=TEXT, pageToken_=TEXT, maxResults_=NUMBER),
        tool("patchMeeting", calendarId=TEXT, meetingId=TEXT, summary_=TEXT, attendees_=TEXTS),
        tool("deleteMeeting", calendarId=TEXT, meetingId=TEXT),
        tool("getFreeBusy", timeMin=TEXT, timeMax=TEXT),
    ],
    "crm": [
        tool("crm-contact-create", firstName=TEXT, lastName=TEXT, email_=TEXT, tags_=TEXTS),
        tool("crm-contact-get", contactId=NUMBER),
        tool("crm-contact-list", page_=NUMBER, pageSize_=NUMBER),
        tool("crm-contact-search", query=TEXT),
        tool("crm-contact-update", contactId=NUMBER, email_=TEXT, tags_=TEXTS),
        tool("crm-contact-delete", contactId=NUMBER),
        tool("crm-deal-create", contactId=NUMBER, title=TEXT, amount_=NUMBER, stage_=one_of("open", "won", "lost")),
        tool("crm-deal-get", dealId=NUMBER),
        tool("crm-deal-list", contactId=NUMBER, stage_=one_of("open", "won", "lost")),
        tool("crm-deal-update", dealId=NUMBER, amount_=NUMBER, stage_=one_of("open", "won", "lost")),
        tool("crm-ping"),
    ],
    "tickets-dotted": [
        tool("tickets.create", subject=TEXT, priority_=one_of("low", "high"), requester_=TEXT),
        tool("tickets.show", ticketId=TEXT),
        tool("tickets.list", status_=one_of("open", "solved", "all"), offset_=NUMBER, limit_=NUMBER),
        tool("tickets.update", ticketId=TEXT, subject_=TEXT, priority_=one_of("low", "high")),
        tool("tickets.destroy", ticketId=TEXT),
        tool("tickets.search", query=TEXT),
        tool("tickets.count"),
    ],
    "kunden": [
        tool("create_order", _says="Legt einen neuen Auftrag an.", article=said("Bezeichnung des Artikels"), quantity=NUMBER, note_=TEXT),
        tool("get_order", _says="Zeigt einen Auftrag an.", order_number=said("Nummer des Auftrags, z. B. 1042", NUMBER)),
        tool("list_orders", _says="Listet alle Aufträge auf.", page_=NUMBER, per_page_=NUMBER),
        tool("change_order", _says="Ändert einen Auftrag.", order_number=NUMBER, quantity_=NUMBER, note_=TEXT),
        tool("cancel_order", _says="Storniert einen Auftrag.", order_number=NUMBER),
        tool("add_order_note", _says="Fügt einem Auftrag eine Notiz hinzu.", order_number=NUMBER, text=TEXT),
        tool("list_order_notes", _says="Listet die Notizen eines Auftrags auf.", order_number=NUMBER),
    ],
    "citas": [
        tool("crear_cita", _says="Crea una cita nueva.", paciente=said("Nombre del paciente"), fecha=TEXT, motivo_=TEXT),
        tool("obtener_cita", _says="Devuelve una cita.", cita_id=TEXT),
        tool("listar_citas", _says="Lista todas las citas.", limit_=NUMBER, offset_=NUMBER),
        tool("actualizar_cita", _says="Actualiza una cita.", cita_id=TEXT, fecha_=TEXT, motivo_=TEXT),
        tool("eliminar_cita", _says="Elimina una cita.", cita_id=TEXT),
    ],
    "batch": [
        tool(
            "create_entities", entities={"type": "array", "items": {"type": "object", "properties": {"name": TEXT}, "required": ["name"]}}
        ),
        tool("get_entity", entity_id=TEXT),
        tool("list_entities"),
        tool("delete_entities", entity_ids=TEXTS),
    ],
}


def invented() -> list[World]:
    return [world_of(name, tools) for name, tools in INVENTED.items()]


def real() -> list[World]:
    """The tool lists in the folder that `MCP_SIM_CORPUS` names; none where it is not set."""
    folder = os.environ.get("MCP_SIM_CORPUS")
    worlds = []
    for path in sorted(Path(folder, "toolslists").glob("*.json")) if folder else ():
        worlds.append(world_of(path.stem, json.loads(path.read_text())["tools"]))
    return worlds
